import { cookieNames, cookieOptions } from '@marketplace/kit/cookies.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { SessionTokens } from './refresh-session.ts'

export interface SessionCookies {
  readLogin(request: FastifyRequest): string | undefined
  readRefreshToken(request: FastifyRequest): string | undefined
  setLogin(reply: FastifyReply, value: string): void
  /** Signs in: both tokens, and the login transaction is over. */
  setSession(reply: FastifyReply, tokens: SessionTokens): void
  clearSession(reply: FastifyReply): void
}

interface CookieLives {
  loginMs: number
  accessMs: number
}

/** The cookies of one public origin, by the names that the gateway knows too. */
export function sessionCookies(publicOrigin: string, { loginMs, accessMs }: CookieLives): SessionCookies {
  const names = cookieNames(publicOrigin)
  const options = cookieOptions(publicOrigin)
  const maxAge = (ms: number) => ({ ...options, maxAge: Math.ceil(ms / 1000) })
  return {
    readLogin: (request) => request.cookies[names.login],
    readRefreshToken: (request) => request.cookies[names.refresh],
    setLogin: (reply, value) => void reply.setCookie(names.login, value, maxAge(loginMs)),
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
