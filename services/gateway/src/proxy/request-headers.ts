import type { IncomingHttpHeaders } from 'node:http'
import { trace } from '@marketplace/kit/telemetry/trace.ts'
import { deadlineHeader } from '@marketplace/kit/http/deadline.ts'
import type { CookieNames } from '@marketplace/kit/auth/cookies.ts'
import type { FastifyRequest } from 'fastify'
import { readCookie } from '../session/session-cookies.ts'
import type { ViewerCookies } from '../viewer/viewer-cookie.ts'

// Client headers that are forwarded unchanged. All others are dropped, for example identity headers, cookies,
// forwarding headers and hop-by-hop headers.
const forwardedHeaders = [
  'accept',
  'accept-encoding',
  'accept-language',
  'if-match',
  'if-modified-since',
  'if-none-match',
  'if-range',
  'range',
  'stripe-signature',
  'user-agent',
] as const

type CheckedRequest = Pick<FastifyRequest, 'target' | 'session' | 'body' | 'ip' | 'id'> & {
  headers: IncomingHttpHeaders
}

/**
 * Returns the headers of the request to a service: allowed client headers plus those that the gateway sets.
 * `deadlineMs` is the time left for the request, in milliseconds.
 */
export function upstreamHeaders(
  request: CheckedRequest,
  { names, viewers }: { names: CookieNames; viewers: ViewerCookies },
  deadlineMs: number,
): IncomingHttpHeaders {
  const { session, headers, ip, id } = request
  // This function runs for every request, so it allocates no object per header.
  const sent: IncomingHttpHeaders = {}
  for (const name of forwardedHeaders) {
    const value = headers[name]
    if (typeof value === 'string') sent[name] = value
  }
  addContentType(sent, request)
  if (session.kind === 'signed in') sent.authorization = `Bearer ${session.accessToken}`
  addCookies(sent, request, names)
  addIdempotencyKey(sent, request)
  const viewer = viewers.idOf(request)
  if (viewer !== null) sent['x-viewer-id'] = viewer
  sent['x-forwarded-for'] = ip
  sent['x-request-id'] = id
  sent[deadlineHeader] = String(deadlineMs)
  const context = trace.current()
  if (context) sent['traceparent'] = context.traceparent
  return sent
}

// Sets the content type of JSON bodies to exactly `application/json`. Otherwise a client could bypass a service's
// content-type check with a value such as `Application/JSON`.
function addContentType(sent: IncomingHttpHeaders, { target, headers, body }: CheckedRequest): void {
  if (body === undefined) return
  sent['content-type'] = target?.route.body === 'json' ? 'application/json' : headers['content-type']
}

function addIdempotencyKey(sent: IncomingHttpHeaders, { target, headers }: CheckedRequest): void {
  const key = headers['idempotency-key']
  if (target?.route.isWrite && key !== undefined) sent['idempotency-key'] = key
}

// Forwards only the cookies that the route lists. The last step of a sign-in needs the cookie that the first step set,
// and sign-out needs the refresh token.
function addCookies(sent: IncomingHttpHeaders, { target, headers }: CheckedRequest, names: CookieNames): void {
  if (!target || target.route.cookies.length === 0) return
  const pairs = target.route.cookies.flatMap((key) => {
    const value = readCookie(headers.cookie, names[key])
    return value === null ? [] : `${names[key]}=${value}`
  })
  if (pairs.length > 0) sent.cookie = pairs.join('; ')
}
