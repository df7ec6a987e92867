import { randomUUID } from 'node:crypto'
import { cookieNames } from '@marketplace/kit/auth/cookies.ts'
import { buildApp } from '@marketplace/kit/http/http.ts'
import type { Log } from '@marketplace/kit/telemetry/log.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { handleClientErrors } from './responses/client-errors.ts'
import { addResponseHeaders } from './responses/response-headers.ts'
import { securityHeaders } from './responses/security-headers.ts'
import type { GatewayConfig } from './config.ts'
import { docsRoutes } from './docs/docs.routes.ts'
import { checkRequests } from './request-checks/check-requests.ts'
import type { LiveAuctions } from './live/live-auctions.ts'
import { streamRoutes } from './live/stream.routes.ts'
import { chargeResponses } from './limits/charge-responses.ts'
import { queueReads } from './limits/queue-reads.ts'
import type { ChargeClient, CountRequest } from './limits/request-limits.ts'
import { httpLimits, maxHeaders } from './http-limits.ts'
import { openapiRoute } from './openapi/openapi.routes.ts'
import { proxyRoutes } from './proxy/proxy.ts'
import { cspReportsRoutes } from './reports/csp-reports.routes.ts'
import { createMatcher, type Target, type MatchResult } from './routing/match.ts'
import type { Route, Service } from './routing/route.ts'
import { redirectToCanonicalOrigin } from './request-checks/canonical-origin.ts'
import { createViewerCookies } from './viewer/viewer-cookie.ts'
import type { Session, SessionContext } from './session/resolve-session.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The matched route with the request's path, query and parameters. Null if no route matches. */
    target: Target | null
    session: Session
  }
}

declare module 'node:http' {
  interface IncomingMessage {
    /** The matched route, or the status with which the request is rejected. */
    matchResult?: MatchResult
  }
}

// Requests that match no route are rewritten to this path and then rejected by an `onRequest` check, so the path needs
// no handler.
const unroutedPath = '/rejected'

export interface GatewayDependencies {
  sessions: SessionContext
  countRequest: CountRequest
  charge: ChargeClient
  live: LiveAuctions
  routes: readonly Route[]
}

/** Builds the public app, which checks requests, resolves sessions and forwards requests to the services. */
export function buildGatewayApp(
  config: GatewayConfig,
  log: Log,
  { live, charge, routes, ...dependencies }: GatewayDependencies,
): FastifyInstance {
  const matchRoute = createMatcher(routes)
  const headers = securityHeaders(config.PUBLIC_ORIGIN, {
    cardApiBase: config.STRIPE_API_BASE,
    uploadUrl: config.UPLOAD_ORIGIN,
  })
  const clientErrors = handleClientErrors(headers.data)
  const app = buildApp(log, {
    ...httpLimits(config.REQUEST_TIMEOUT_MS),
    genReqId: () => randomUUID(),
    clientErrorHandler: clientErrors.clientErrorHandler,
    // Requests on open connections are served during graceful shutdown, not rejected with 503.
    return503OnClosing: false,
    trustProxy: config.TRUSTED_PROXIES.length > 0 ? config.TRUSTED_PROXIES : false,
    // Fastify's router gets the template of the matched route instead of the URL, so that metrics have one label per
    // route.
    rewriteUrl(request) {
      const matchResult = matchRoute(request.method ?? '', request.url ?? '')
      request.matchResult = matchResult
      return 'target' in matchResult ? matchResult.target.route.template : unroutedPath
    },
  })
  app.server.maxHeadersCount = maxHeaders
  clientErrors.attach(app.server)
  const names = cookieNames(config.PUBLIC_ORIGIN)
  const matchResultOf = (request: FastifyRequest) => request.raw.matchResult ?? { status: 404 }
  const viewers = createViewerCookies(config.INTERNAL_SECRET, names)
  checkRequests(app, { config, names, matchResultOf, ...dependencies })
  queueReads(app, { perUser: config.MAX_READS_IN_FLIGHT_PER_USER, perAddress: config.MAX_READS_IN_FLIGHT_PER_ADDRESS })
  chargeResponses(app, charge)
  redirectToCanonicalOrigin(app, config.PUBLIC_ORIGIN)
  addResponseHeaders(app, { publicOrigin: config.PUBLIC_ORIGIN, names, viewers, headers })
  openapiRoute(app, '/api/openapi.json')
  docsRoutes(app)
  app.register(cspReportsRoutes)
  streamRoutes(app, { live, headers })
  app.register(proxyRoutes, {
    routes,
    upstreams: upstreamsOf(config),
    names,
    viewers,
    connectTimeoutMs: config.CONNECT_TIMEOUT_MS,
    deadlinesMs: { normal: config.UPSTREAM_TIMEOUT_MS, slow: config.SLOW_UPSTREAM_TIMEOUT_MS },
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
