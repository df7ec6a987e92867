import type { IncomingHttpHeaders } from 'node:http'
import { trace } from '@marketplace/kit/trace.ts'
import { timeLimitHeader } from '@marketplace/kit/deadline.ts'
import type { CookieNames } from '@marketplace/kit/cookies.ts'
import type { FastifyRequest } from 'fastify'
import { readCookie } from '../session/session-cookies.ts'
import { viewerOf } from '../viewer/viewer-cookie.ts'

// Only these go on as they came. All others stay here: whatever names an identity, however it is spelt, cookies,
// forwarding headers, hop-by-hop headers and those that a Connection header lists.
const passedOn = [
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

type Asked = Pick<FastifyRequest, 'target' | 'session' | 'body' | 'ip' | 'id'> & { headers: IncomingHttpHeaders }

/** The headers an upstream gets: the harmless ones of the client, and what the gateway says about it. */
export function upstreamHeaders(request: Asked, names: CookieNames, limitMs: number): IncomingHttpHeaders {
  const { session, headers, ip, id } = request
  const kept = passedOn.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]]))
  return {
    ...Object.fromEntries(kept),
    ...bodyType(request),
    ...(session.kind === 'signed in' && { authorization: `Bearer ${session.accessToken}` }),
    ...ownCookies(request, names),
    ...writeKey(request),
    ...viewer(viewerOf(request, names)),
    'x-forwarded-for': ip,
    'x-request-id': id,
    [timeLimitHeader]: String(limitMs),
    ...(trace.current() && { traceparent: trace.current()?.traceparent }),
  }
}

// One spelling of JSON: a service's own check cannot be led past by another.
function bodyType({ target, headers, body }: Asked): IncomingHttpHeaders {
  if (body === undefined) return {}
  return { 'content-type': target?.route.body === 'raw' ? headers['content-type'] : 'application/json' }
}

function writeKey({ target, headers }: Asked): IncomingHttpHeaders {
  const key = headers['idempotency-key']
  return target?.route.isWrite && key !== undefined ? { 'idempotency-key': key } : {}
}

function viewer(id: string | null): IncomingHttpHeaders {
  return id === null ? {} : { 'x-viewer-id': id }
}

// Users reads its own cookies there: the login of this browser, and on signing out the session to end even when it
// could not be refreshed.
function ownCookies({ target, headers }: Asked, names: CookieNames): IncomingHttpHeaders {
  const pairs = (target?.route.cookies ?? []).flatMap((key) => {
    const value = readCookie(headers.cookie, names[key])
    return value === null ? [] : `${names[key]}=${value}`
  })
  return pairs.length > 0 ? { cookie: pairs.join('; ') } : {}
}
