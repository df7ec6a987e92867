import { cookieOptions, type CookieNames } from '@marketplace/kit/auth/cookies.ts'
import cookie from '@fastify/cookie'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sessionCookies, type Cookie } from '../session/session-cookies.ts'
import type { ViewerCookies } from '../viewer/viewer-cookie.ts'
import type { Headers, SecurityHeaders } from './security-headers.ts'

export interface ResponseHeaderOptions {
  publicOrigin: string
  names: CookieNames
  viewers: ViewerCookies
  headers: SecurityHeaders
}

/** Adds the security headers, the request id and changed session cookies to every response, including errors. */
export function addResponseHeaders(
  app: FastifyInstance,
  { publicOrigin, names, viewers, headers }: ResponseHeaderOptions,
): void {
  const attributes = cookieOptions(publicOrigin)
  // `hook: false` disables the plugin's cookie parser, because `readCookie` is stricter: it rejects a duplicate cookie
  // name.
  app.register(cookie, { hook: false })
  app.addHook('onSend', (request, reply, _payload, done) => {
    reply.headers(responseHeadersOf(request, headers))
    if (!isPage(request) && !reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store')
    const cookies = cookiesToSet(request, reply, { names, viewers })
    if (cookies.length === 0) return done()
    const lines = cookies.map(({ name, value, expires }) =>
      app.serializeCookie(name, value, { ...attributes, expires }),
    )
    reply.header('set-cookie', lines).header('cache-control', 'no-store')
    return done()
  })
}

/** Returns the headers that each response to the request has, including responses written without Fastify. */
export function responseHeadersOf(request: FastifyRequest, { page, data, shared }: SecurityHeaders): Headers {
  if (request.target?.route.isShared) return { ...shared, 'x-request-id': request.id }
  return { ...(isPage(request) ? page : data), 'x-request-id': request.id }
}

function isPage({ target }: FastifyRequest): boolean {
  return target?.route.rate === 'page'
}

function cookiesToSet(
  request: FastifyRequest,
  reply: FastifyReply,
  { names, viewers }: Pick<ResponseHeaderOptions, 'names' | 'viewers'>,
): Cookie[] {
  // If the response already sets cookies, as on sign-in and sign-out, no refreshed session cookies are added.
  if (reply.hasHeader('set-cookie')) return []
  const viewer = reply.statusCode === 200 ? viewers.cookieFor(request) : null
  return [...sessionCookies(request.session, names), ...(viewer ? [viewer] : [])]
}
