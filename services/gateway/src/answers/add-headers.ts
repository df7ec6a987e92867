import { cookieOptions, type CookieNames } from '@marketplace/kit/cookies.ts'
import type { FastifyInstance } from 'fastify'
import { sessionCookies } from '../session/session-cookies.ts'
import type { SecurityHeaders } from './security-headers.ts'

export interface AnswerHeaderOptions {
  publicOrigin: string
  names: CookieNames
  headers: SecurityHeaders
}

/** Adds to every answer, also to errors, the security headers, the request's id and what became of the session. */
export function addAnswerHeaders(app: FastifyInstance, { publicOrigin, names, headers }: AnswerHeaderOptions): void {
  const attributes = cookieOptions(publicOrigin)
  app.addHook('onSend', async (request, reply) => {
    const isPage = request.target?.route.to === 'web'
    reply.headers(isPage ? headers.page : headers.data).header('x-request-id', request.id)
    if (!isPage && !reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store')
    const cookies = sessionCookies(request.session, names, attributes)
    // Signing in or out has the last word on the session.
    if (cookies.length === 0 || reply.hasHeader('set-cookie')) return
    reply.header('set-cookie', cookies).header('cache-control', 'no-store')
  })
}
