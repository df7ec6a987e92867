import exec from 'k6/execution'
import http, { type RefinedResponse, type ResponseType } from 'k6/http'
import { Rate } from 'k6/metrics'

export type LoadResponse = RefinedResponse<ResponseType | undefined>

export const base = __ENV['BASE'] ?? ''

/** The share of responses with an expected status, which includes rejections by business rules. */
export const rightResponses = new Rate('right_answers')

interface RequestOptions {
  cookie?: string
  body?: object
  /** Sent as the Idempotency-Key. */
  key?: string
  /** The path template, so that all listings share one metric. */
  name: string
  /** The statuses that count as right. */
  expect?: readonly number[]
}

/** Sends one request of a visitor with their own address. Addresses repeat after four million visitors. */
export function send(
  method: 'GET' | 'POST',
  path: string,
  { cookie, body, key, name, expect = [200, 201] }: RequestOptions,
): LoadResponse {
  const headers = {
    'X-Forwarded-For': addressOf(exec.vu.idInTest),
    ...(cookie !== undefined && { Cookie: cookie }),
    ...(body && { 'Content-Type': 'application/json' }),
    ...(key !== undefined && { 'Idempotency-Key': key }),
  }
  const response = http.request(method, base + path, body ? JSON.stringify(body) : null, {
    headers,
    tags: { name },
    redirects: 0,
    responseCallback: http.expectedStatuses(...expect),
  })
  rightResponses.add(expect.includes(response.status))
  return response
}

export function addressOf(visitor: number): string {
  return `10.${1 + ((visitor >> 16) & 63)}.${(visitor >> 8) & 255}.${visitor & 255}`
}
