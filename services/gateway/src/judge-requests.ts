import type { CookieNames } from '@marketplace/kit/cookies.ts'
import { DomainError, unauthenticated, unavailable } from '@marketplace/kit/problem.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { malformed } from './answers/client-errors.ts'
import type { GatewayConfig } from './config.ts'
import { refuseUnderPressure } from './limits/pressure.ts'
import { networkOf } from './limits/network-of.ts'
import { TooMany, type CountRequest } from './limits/request-limits.ts'
import type { Target, Verdict } from './routing/match.ts'
import type { Route } from './routing/route.ts'
import { hasUnclearEnd, refuseWrongBody } from './rules/body-rules.ts'
import { hostRule } from './rules/host-rule.ts'
import { refuseForeignWrite } from './rules/origin-rules.ts'
import { Refusal } from './rules/refusal.ts'
import { resolveSession, type Session, type SessionContext } from './session/resolve-session.ts'
import { readCookie } from './session/session-cookies.ts'

export interface Judgement {
  config: GatewayConfig
  names: CookieNames
  sessions: SessionContext
  countRequest: CountRequest
  verdictOf: (request: FastifyRequest) => Verdict
}

const nobody: Session = { kind: 'signed out', isOver: false }

/** What a request has to pass before its body is read: end, host, address, load, origin, limits, session, size, media type, in this order. */
export function judgeRequests(app: FastifyInstance, judgement: Judgement): void {
  const { config, verdictOf } = judgement
  const refuseWhenBusy = refuseUnderPressure(config.BUSY_MS)
  const refuseWrongHost = hostRule(config.PUBLIC_ORIGIN, config.ALLOWED_HOSTS)
  app.decorateRequest('target', null)
  app.decorateRequest('session')
  app.addHook('onRequest', async (request, reply) => {
    request.session = nobody
    if (hasUnclearEnd(request.headers)) throw endingConnection(reply)
    refuseWrongHost(request.raw)
    const verdict = verdictOf(request)
    const { target, route } = targetOf(verdict)
    if (!route) throw refusalOf(verdict, reply)
    request.target = target
    refuseWhenBusy(route.importance)
    // Before the session is looked at: another site's request must not even renew it.
    refuseForeignWrite(route, request.headers, config.PUBLIC_ORIGIN)
    request.session = await admit(request, route, judgement).catch((error: unknown) => {
      if (error instanceof TooMany) reply.header('retry-after', error.retryAfterSeconds)
      throw error
    })
    refuseWithoutSession(route, request.session)
    refuseWrongBody(route, request.headers)
    if (!target) throw refusalOf(verdict, reply)
  })
}

// Finds out who asks and counts the request: for the user, else for the address, and for that too before users is asked.
async function admit(request: FastifyRequest, route: Route, { names, sessions, countRequest }: Judgement) {
  let counted: Promise<void> | undefined
  const countForAddress = () => (counted ??= countRequest(route.rate, { network: networkOf(request.ip) }))
  const session = route.session === 'none' ? nobody : await sessionOf(request, { names, sessions, countForAddress })
  const userId = session.kind === 'signed in' ? session.userId : null
  await (userId === null ? countForAddress() : countRequest(route.rate, { userId }))
  return session
}

interface Resolving extends Pick<Judgement, 'names' | 'sessions'> {
  countForAddress: () => Promise<void>
}

function sessionOf({ headers }: FastifyRequest, { names, sessions, countForAddress }: Resolving): Promise<Session> {
  const tokens = {
    access: readCookie(headers.cookie, names.access),
    refresh: readCookie(headers.cookie, names.refresh),
  }
  return resolveSession(sessions, tokens, countForAddress)
}

function refuseWithoutSession(route: Route, session: Session): void {
  if (route.session !== 'closed') return
  if (session.kind === 'signed out') throw unauthenticated()
  if (session.kind === 'unknown') throw unavailable('Sign-in')
}

function targetOf(verdict: Verdict): { target: Target | null; route?: Route | undefined } {
  if ('target' in verdict) return { target: verdict.target, route: verdict.target.route }
  return { target: null, route: verdict.status === 404 ? verdict.route : undefined }
}

// What comes behind it on this connection may be part of it.
function endingConnection(reply: FastifyReply): Error {
  reply.header('connection', 'close')
  return new DomainError('invalid', malformed.code, malformed.error)
}

function refusalOf(verdict: Verdict, reply: FastifyReply): Error {
  if ('target' in verdict) return new Refusal(404)
  if (verdict.status === 400) return new DomainError('invalid', 'malformed', 'This address is not valid.')
  if (verdict.status === 405) reply.header('allow', verdict.allow.join(', '))
  return new Refusal(verdict.status)
}
