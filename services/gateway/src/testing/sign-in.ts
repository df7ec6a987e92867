import { ask, type Answer } from './ask.ts'
import type { Stage } from './stage.ts'

export interface Tokens {
  access?: string
  refresh?: string
}

/** The Cookie line that a browser with these tokens sends. */
export function cookieLine({ names }: Stage, { access, refresh }: Tokens): string {
  return [access && `${names.access}=${access}`, refresh && `${names.refresh}=${refresh}`].filter(Boolean).join('; ')
}

/** A request that needs a session. */
export function getMe(stage: Stage, tokens: Tokens): Promise<Answer> {
  return ask(stage.port, { path: '/api/users/me', headers: { cookie: cookieLine(stage, tokens) } })
}

/** The cookies that an answer sets: name to value with attributes. */
export function setCookies({ headers }: Answer): Record<string, string> {
  const lines = headers['set-cookie'] ?? []
  return Object.fromEntries(lines.map((line) => [line.split('=')[0] ?? '', line.slice(line.indexOf('=') + 1)]))
}
