import type { CookieNames } from '@marketplace/kit/auth/cookies.ts'
import { DomainError, unauthenticated, unavailable } from '@marketplace/kit/errors/problem.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { malformed } from '../responses/client-errors.ts'
import type { GatewayConfig } from '../config.ts'
import { createLoadShedder } from '../limits/load-shedding.ts'
import { networkOf } from '../limits/network-of.ts'
import { RateLimitExceeded, type CountRequest } from '../limits/request-limits.ts'
import type { Target, MatchResult } from '../routing/match.ts'
import type { Route } from '../routing/route.ts'
import { hasAmbiguousLength, checkBody } from './body-check.ts'
import { createHostCheck } from './host-check.ts'
import { checkOrigin } from './origin-check.ts'
import { HttpError } from './http-error.ts'
import { resolveSession, userIdOf, type Session, type SessionContext } from '../session/resolve-session.ts'
import { readCookie } from '../session/session-cookies.ts'

export interface RequestCheckOptions {
  config: GatewayConfig
  names: CookieNames
  sessions: SessionContext
  countRequest: CountRequest
  matchResultOf: (request: FastifyRequest) => MatchResult
}

const signedOut: Session = { kind: 'signed out', hasEnded: false }

/**
 * Registers the checks that run before the body is read, in this order: length, host, target, load, origin, rate
 * limits, session, size, media type.
 */
export function checkRequests(app: FastifyInstance, options: RequestCheckOptions): void {
  const { config, matchResultOf } = options
  const shedLoad = createLoadShedder(config.MAX_EVENT_LOOP_DELAY_MS)
  const checkHost = createHostCheck(config.PUBLIC_ORIGIN, config.ALLOWED_HOSTS)
  app.decorateRequest('target', null)
  app.decorateRequest('session')
  app.addHook('onRequest', async (request, reply) => {
    request.session = signedOut
    if (hasAmbiguousLength(request.headers)) throw ambiguousLengthError(reply)
    checkHost(request.raw)
    const result = matchResultOf(request)
    const { target, route } = targetOf(result)
    if (!route) throw matchError(result, reply)
    request.target = target
    shedLoad(route.priority)
    // The origin is checked before the session is resolved, so that a cross-site request cannot cause a session
    // refresh.
    await checkOrigin(request, route, options)
    request.session = await resolveAndCount(request, route, options).catch((error: unknown) => {
      if (error instanceof RateLimitExceeded) reply.header('retry-after', error.retryAfterSeconds)
      throw error
    })
    requireSession(route, request.session)
    checkBody(route, request.headers)
    if (!target) throw matchError(result, reply)
  })
}

// Resolves the session. Counts the request in the rate limit of the user, or of the network if the user is signed out.
async function resolveAndCount(
  request: FastifyRequest,
  route: Route,
  { names, sessions, countRequest }: RequestCheckOptions,
) {
  let addressCount: Promise<void> | undefined
  // Counts the request in the rate limit of the client's network, at most once.
  const countForAddress = () => (addressCount ??= countRequest(route.rate, { network: networkOf(request.ip) }))
  const session =
    route.session === 'none'
      ? signedOut
      : await resolveRequestSession(request, route, { names, sessions, countForAddress })
  const userId = userIdOf(session)
  if (userId === null) await countForAddress()
  else await countRequest(route.rate, { userId })
  // Writes are also limited per network, so that a client cannot bypass the limit per user with many accounts.
  if (userId !== null && route.isWrite) await countRequest('address-write', { network: networkOf(request.ip) })
  return session
}

interface SessionLookup extends Pick<RequestCheckOptions, 'names' | 'sessions'> {
  countForAddress: () => Promise<void>
}

function resolveRequestSession(
  { headers, ip }: FastifyRequest,
  route: Route,
  { names, sessions, countForAddress }: SessionLookup,
): Promise<Session> {
  const tokens = {
    access: readCookie(headers.cookie, names.access),
    refresh: route.session === 'verified' ? null : readCookie(headers.cookie, names.refresh),
    address: ip,
  }
  return resolveSession(sessions, tokens, countForAddress)
}

function requireSession(route: Route, session: Session): void {
  if (route.session !== 'closed') return
  if (session.kind === 'signed out') throw unauthenticated()
  if (session.kind === 'unknown') throw unavailable('Sign-in')
}

function targetOf(result: MatchResult): { target: Target | null; route?: Route | undefined } {
  if ('target' in result) return { target: result.target, route: result.target.route }
  return { target: null, route: result.status === 404 ? result.route : undefined }
}

// Creates the error for a body of ambiguous length. The connection is closed, because it is unclear whether the bytes
// that follow belong to this request.
function ambiguousLengthError(reply: FastifyReply): Error {
  reply.header('connection', 'close')
  return new DomainError('invalid', malformed.code, malformed.error)
}

function matchError(result: MatchResult, reply: FastifyReply): Error {
  if ('target' in result) return new HttpError(404)
  if (result.status === 400) return new DomainError('invalid', 'malformed', 'This address is not valid.')
  if (result.status === 405) reply.header('allow', result.allow.join(', '))
  return new HttpError(result.status)
}
