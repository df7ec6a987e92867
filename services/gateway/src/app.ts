import { randomUUID } from 'node:crypto'
import { cookieNames } from '@marketplace/kit/cookies.ts'
import { buildApp } from '@marketplace/kit/http.ts'
import type { Log } from '@marketplace/kit/log.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { answerClientErrors } from './answers/client-errors.ts'
import { addAnswerHeaders } from './answers/add-headers.ts'
import { securityHeaders } from './answers/security-headers.ts'
import type { GatewayConfig } from './config.ts'
import { docsRoutes } from './docs/docs.routes.ts'
import { judgeRequests } from './judge-requests.ts'
import type { LiveAuctions } from './live/live-auctions.ts'
import { streamRoutes } from './live/stream.routes.ts'
import type { CountRequest } from './limits/request-limits.ts'
import { httpLimits, maxHeaders } from './http-limits.ts'
import { openapiRoute } from './openapi/openapi.routes.ts'
import { proxyRoutes } from './proxy/proxy.ts'
import { cspReportsRoutes } from './reports/csp-reports.routes.ts'
import { matchRoute, type Target, type Verdict } from './routing/match.ts'
import type { Service } from './routing/route.ts'
import { leadToOwnAddress } from './rules/own-address.ts'
import type { Session, SessionContext } from './session/resolve-session.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Null for a request that is refused. */
    target: Target | null
    session: Session
  }
}

declare module 'node:http' {
  interface IncomingMessage {
    /** What its address was judged to be. */
    verdict?: Verdict
  }
}

// Names no route: what is refused gets its answer before a handler is looked for.
const nowhere = '/refused'

export interface GatewayParts {
  sessions: SessionContext
  countRequest: CountRequest
  live: LiveAuctions
}

/** The public app: judge, find out who asks, send on. */
export function buildGatewayApp(config: GatewayConfig, log: Log, { live, ...parts }: GatewayParts): FastifyInstance {
  const headers = securityHeaders(config.PUBLIC_ORIGIN, config.STRIPE_API_BASE)
  const clientErrors = answerClientErrors(headers.data)
  const app = buildApp(log, {
    ...httpLimits(config.REQUEST_TIMEOUT_MS),
    genReqId: () => randomUUID(),
    clientErrorHandler: clientErrors.clientErrorHandler,
    // While draining, what still comes over a kept connection is answered, and that connection closed.
    return503OnClosing: false,
    trustProxy: config.TRUSTED_PROXIES.length > 0 ? config.TRUSTED_PROXIES : false,
    // The router sees templates, so that nobody's path is matched a second time and metrics have few labels.
    rewriteUrl(request) {
      const verdict = matchRoute(request.method ?? '', request.url ?? '')
      request.verdict = verdict
      return 'target' in verdict ? verdict.target.route.template : nowhere
    },
  })
  app.server.maxHeadersCount = maxHeaders
  clientErrors.attach(app.server)
  const names = cookieNames(config.PUBLIC_ORIGIN)
  const verdictOf = (request: FastifyRequest) => request.raw.verdict ?? { status: 404 }
  judgeRequests(app, { config, names, verdictOf, ...parts })
  leadToOwnAddress(app, config.PUBLIC_ORIGIN)
  addAnswerHeaders(app, { publicOrigin: config.PUBLIC_ORIGIN, names, headers })
  openapiRoute(app, '/api/openapi.json')
  docsRoutes(app)
  app.register(cspReportsRoutes)
  streamRoutes(app, { live, headers })
  app.register(proxyRoutes, {
    upstreams: upstreamsOf(config),
    names,
    connectTimeoutMs: config.CONNECT_TIMEOUT_MS,
    timeLimitsMs: { usual: config.UPSTREAM_TIMEOUT_MS, slow: config.SLOW_UPSTREAM_TIMEOUT_MS },
    maxInFlight: config.MAX_IN_FLIGHT,
  })
  return app
}

function upstreamsOf(config: GatewayConfig): Record<Service, string> {
  return {
    catalog: config.CATALOG_URL,
    auction: config.AUCTION_URL,
    payments: config.PAYMENTS_URL,
    messaging: config.MESSAGING_URL,
    search: config.SEARCH_URL,
    users: config.USERS_URL,
    web: config.WEB_URL,
  }
}
