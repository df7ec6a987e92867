import type { IncomingHttpHeaders } from 'node:http'
import { trace } from '@marketplace/kit/trace.ts'
import type { FastifyRequest } from 'fastify'

// Only these go on as they came. All others stay here: whatever names an identity, however it is spelt, cookies,
// forwarding headers, hop-by-hop headers and those that a Connection header lists.
const passedOn = [
  'accept',
  'accept-encoding',
  'accept-language',
  'if-match',
  'if-modified-since',
  'if-none-match',
  'idempotency-key',
  'range',
  'stripe-signature',
  'user-agent',
] as const

type Asked = Pick<FastifyRequest, 'target' | 'session' | 'body' | 'ip' | 'id'> & { headers: IncomingHttpHeaders }

/** The headers an upstream gets: the harmless ones of the client, and what the gateway says about it. */
export function upstreamHeaders(request: Asked, loginCookie: string): IncomingHttpHeaders {
  const { target, session, headers, ip, id } = request
  const kept = passedOn.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]]))
  return {
    ...Object.fromEntries(kept),
    ...bodyType(request),
    ...(session.kind === 'signed in' && { authorization: `Bearer ${session.accessToken}` }),
    ...(target?.route.cookies && oneCookie(headers.cookie, loginCookie)),
    'x-forwarded-for': ip,
    'x-request-id': id,
    ...(trace.current() && { traceparent: trace.current()?.traceparent }),
  }
}

// One spelling of JSON: a service's own check cannot be led past by another.
function bodyType({ target, headers, body }: Asked): IncomingHttpHeaders {
  if (body === undefined) return {}
  return { 'content-type': target?.route.body === 'raw' ? headers['content-type'] : 'application/json' }
}

function oneCookie(header: string | undefined, name: string): IncomingHttpHeaders {
  const pairs = (header ?? '').split(';').map((pair) => pair.trim())
  const own = pairs.filter((pair) => pair.startsWith(`${name}=`))
  return own.length === 1 ? { cookie: own[0] } : {}
}
