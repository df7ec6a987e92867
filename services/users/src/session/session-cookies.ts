import { cookieNames, cookieOptions } from '@marketplace/kit/auth/cookies.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { SessionTokens } from './refresh-session.ts'

export interface SessionCookies {
  readAttempt(request: FastifyRequest): string | undefined
  readRefreshToken(request: FastifyRequest): string | undefined
  setAttempt(reply: FastifyReply, value: string): void
  /** Sets both token cookies and clears the cookie of the sign-in attempt. */
  setSession(reply: FastifyReply, tokens: SessionTokens): void
  clearSession(reply: FastifyReply): void
}

interface CookieLifetimes {
  loginMs: number
  accessMs: number
}

/**
 * Creates functions that read and write the session cookies. The public origin determines their names and attributes.
 */
export function sessionCookies(publicOrigin: string, { loginMs, accessMs }: CookieLifetimes): SessionCookies {
  const names = cookieNames(publicOrigin)
  const options = cookieOptions(publicOrigin)
  const maxAge = (ms: number) => ({ ...options, maxAge: Math.ceil(ms / 1000) })
  return {
    readAttempt: (request) => request.cookies[names.login],
    readRefreshToken: (request) => request.cookies[names.refresh],
    setAttempt: (reply, value) => void reply.setCookie(names.login, value, maxAge(loginMs)),
    setSession(reply, { accessToken, refreshToken, refreshExpiresAt }) {
      reply.setCookie(names.access, accessToken, maxAge(accessMs))
      reply.setCookie(names.refresh, refreshToken, { ...options, expires: refreshExpiresAt })
      reply.clearCookie(names.login, options)
    },
    clearSession(reply) {
      for (const name of [names.access, names.refresh, names.login]) reply.clearCookie(name, options)
    },
  }
}
