import exec from 'k6/execution'
import http, { type RefinedResponse, type ResponseType } from 'k6/http'
import { Rate } from 'k6/metrics'

export type Answer = RefinedResponse<ResponseType | undefined>

export const base = __ENV['BASE'] ?? ''

/** The share of answers that are what they should be; a refusal by the rules of the trade is. */
export const right = new Rate('right_answers')

interface Asking {
  cookie?: string
  body?: object
  /** Its Idempotency-Key. */
  key?: string
  /** By its template, so that all listings are one figure. */
  name: string
  /** Statuses that are right. */
  expect?: readonly number[]
}

/** One request of a visitor with an address of their own; the first visitors' addresses repeat after four million. */
export function ask(
  method: 'GET' | 'POST',
  path: string,
  { cookie, body, key, name, expect = [200, 201] }: Asking,
): Answer {
  const headers = {
    'X-Forwarded-For': addressOf(exec.vu.idInTest),
    ...(cookie !== undefined && { Cookie: cookie }),
    ...(body && { 'Content-Type': 'application/json' }),
    ...(key !== undefined && { 'Idempotency-Key': key }),
  }
  const answer = http.request(method, base + path, body ? JSON.stringify(body) : null, {
    headers,
    tags: { name },
    redirects: 0,
    responseCallback: http.expectedStatuses(...expect),
  })
  right.add(expect.includes(answer.status))
  return answer
}

export function addressOf(visitor: number): string {
  return `10.${1 + ((visitor >> 16) & 63)}.${(visitor >> 8) & 255}.${visitor & 255}`
}
