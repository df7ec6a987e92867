import type { CookieNames } from '@marketplace/kit/cookies.ts'
import { DomainError, unauthenticated, unavailable } from '@marketplace/kit/problem.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { GatewayConfig } from './config.ts'
import type { Verdict } from './routing/match.ts'
import type { Route } from './routing/route-table.ts'
import { refuseWrongBody } from './rules/body-rules.ts'
import { hostRule } from './rules/host-rule.ts'
import { refuseForeignWrite } from './rules/origin-rules.ts'
import { Refusal } from './rules/refusal.ts'
import { resolveSession, type Session, type SessionContext } from './session/resolve-session.ts'
import { readCookie } from './session/session-cookies.ts'

export interface Judgement {
  config: GatewayConfig
  names: CookieNames
  sessions: SessionContext
  verdictOf: (request: FastifyRequest) => Verdict
}

const nobody: Session = { kind: 'signed out', isOver: false }

/** Everything a request has to pass before its body is read: host, address, origin, session, size, media type, in this order. */
export function judgeRequests(app: FastifyInstance, { config, names, sessions, verdictOf }: Judgement): void {
  const refuseWrongHost = hostRule(config.PUBLIC_ORIGIN, config.ALLOWED_HOSTS)
  app.decorateRequest('target', null)
  app.decorateRequest('session')
  app.addHook('onRequest', async (request, reply) => {
    request.session = nobody
    refuseWrongHost(request.raw)
    const verdict = verdictOf(request)
    if (!('target' in verdict)) throw refusalOf(verdict, reply)
    const { route } = verdict.target
    request.target = verdict.target
    // Before the session is looked at: another site's request must not even renew it.
    refuseForeignWrite(route, request.headers, config.PUBLIC_ORIGIN)
    if (route.session !== 'none') request.session = await sessionOf(request, names, sessions)
    refuseWithoutSession(route, request.session)
    refuseWrongBody(route, request.headers)
  })
}

function sessionOf({ headers }: FastifyRequest, names: CookieNames, sessions: SessionContext): Promise<Session> {
  return resolveSession(sessions, {
    access: readCookie(headers.cookie, names.access),
    refresh: readCookie(headers.cookie, names.refresh),
  })
}

function refuseWithoutSession(route: Route, session: Session): void {
  if (route.session !== 'closed') return
  if (session.kind === 'signed out') throw unauthenticated()
  if (session.kind === 'unknown') throw unavailable('Sign-in')
}

function refusalOf(verdict: Exclude<Verdict, { target: unknown }>, reply: FastifyReply): Error {
  if (verdict.status === 400) return new DomainError('invalid', 'malformed', 'This address is not valid.')
  if (verdict.status === 405) reply.header('allow', verdict.allow.join(', '))
  return new Refusal(verdict.status)
}
