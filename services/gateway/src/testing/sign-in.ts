import { sendRequest, type ApiResponse } from './send-request.ts'
import type { Harness } from './harness.ts'

export interface Tokens {
  access?: string
  refresh?: string
}

/** Returns the Cookie header of a browser with these tokens. */
export function cookieHeader({ names }: Harness, { access, refresh }: Tokens): string {
  return [access && `${names.access}=${access}`, refresh && `${names.refresh}=${refresh}`].filter(Boolean).join('; ')
}

/** Sends a request that requires a session. */
export function getMe(harness: Harness, tokens: Tokens): Promise<ApiResponse> {
  return sendRequest(harness.port, { path: '/api/users/me', headers: { cookie: cookieHeader(harness, tokens) } })
}

/** Returns the cookies set by a response: name to value with attributes. */
export function setCookies({ headers }: ApiResponse): Record<string, string> {
  const lines = headers['set-cookie'] ?? []
  return Object.fromEntries(lines.map((line) => [line.split('=')[0] ?? '', line.slice(line.indexOf('=') + 1)]))
}
