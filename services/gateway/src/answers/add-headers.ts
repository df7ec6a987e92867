import { cookieOptions, type CookieNames } from '@marketplace/kit/cookies.ts'
import cookie from '@fastify/cookie'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sessionCookies, type Cookie } from '../session/session-cookies.ts'
import { newViewerCookie } from '../viewer/viewer-cookie.ts'
import type { Headers, SecurityHeaders } from './security-headers.ts'

export interface AnswerHeaderOptions {
  publicOrigin: string
  names: CookieNames
  headers: SecurityHeaders
}

/** Adds to every answer, also to errors, the security headers, the request's id and what became of the session. */
export function addAnswerHeaders(app: FastifyInstance, { publicOrigin, names, headers }: AnswerHeaderOptions): void {
  const attributes = cookieOptions(publicOrigin)
  // For its spelling of cookies alone: it reads a name that is given twice as one.
  app.register(cookie, { hook: false })
  app.addHook('onSend', (request, reply, _payload, done) => {
    reply.headers(answerHeadersOf(request, headers))
    if (!isPage(request) && !reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store')
    const cookies = cookiesToSet(request, reply, names)
    if (cookies.length === 0) return done()
    const lines = cookies.map(({ name, value, expires }) =>
      app.serializeCookie(name, value, { ...attributes, expires }),
    )
    reply.header('set-cookie', lines).header('cache-control', 'no-store')
    return done()
  })
}

/** What every answer has, whoever writes it. */
export function answerHeadersOf(request: FastifyRequest, { page, data }: SecurityHeaders): Headers {
  return { ...(isPage(request) ? page : data), 'x-request-id': request.id }
}

function isPage({ target }: FastifyRequest): boolean {
  return target?.route.rate === 'page'
}

function cookiesToSet(request: FastifyRequest, reply: FastifyReply, names: CookieNames): Cookie[] {
  // Signing in or out has the last word on the session.
  if (reply.hasHeader('set-cookie')) return []
  const viewer = reply.statusCode === 200 ? newViewerCookie(request, names) : null
  return [...sessionCookies(request.session, names), ...(viewer ? [viewer] : [])]
}
