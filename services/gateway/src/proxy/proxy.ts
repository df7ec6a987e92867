import httpProxy, { type FastifyHttpProxyOptions } from '@fastify/http-proxy'
import type { CookieNames } from '@marketplace/kit/auth/cookies.ts'
import type { FastifyInstance } from 'fastify'
import { Agent } from 'undici'
import type { Service, DeadlineClass } from '../routing/route.ts'
import { routeTable, webRoute } from '../routing/route-table.ts'
import { createForwarder } from './forward.ts'
import type { ViewerCookies } from '../viewer/viewer-cookie.ts'
import { serviceOf, targetOf } from './forwarded-request.ts'
import { upstreamHeaders } from './request-headers.ts'
import { filterResponseHeaders } from './response-headers.ts'

export interface ProxyOptions {
  upstreams: Readonly<Record<Service, string>>
  names: CookieNames
  viewers: ViewerCookies
  connectTimeoutMs: number
  deadlinesMs: Readonly<Record<DeadlineClass, number>>
  /** Maximum number of concurrent requests per service. */
  maxInFlight: number
}

// Shorter than the services' idle timeout (65 s), so that requests rarely use a connection that is being closed.
const keepAliveMs = 30_000
const maxConnections = 256

const forwardedRoutes = [...routeTable, webRoute].filter((route) => route.to !== 'gateway')
const bodyLimits = new Map(
  [...Map.groupBy(forwardedRoutes, ({ template }) => template)].map(([template, routes]) => [
    template,
    Math.max(...routes.map(({ maxBodyBytes }) => maxBodyBytes)),
  ]),
)

/**
 * Forwards requests that passed the checks. The path is built from the route's template, and the headers by
 * `upstreamHeaders`.
 */
export async function proxyRoutes(app: FastifyInstance, options: ProxyOptions): Promise<void> {
  const { handler, onResponse, onError } = createForwarder(options)
  app.decorateRequest('forwarding', null)
  bufferBodies(app)
  limitBodies(app)
  app.register(httpProxy, {
    upstream: '',
    routes: [...bodyLimits.keys()],
    httpMethods: ['HEAD', ...new Set(forwardedRoutes.map(({ method }) => method))],
    // Bodies are parsed here, because the plugin's own parser ignores Fastify's bodyLimit.
    proxyPayloads: false,
    cacheURLs: 5000,
    disableRequestLogging: true,
    internalRewriteLocationHeader: false,
    undici: createAgent(options.connectTimeoutMs),
    destroyAgent: true,
    handler,
    replyOptions: { ...forwardingOptions(options), onResponse, onError },
  })
}

// This agent verifies TLS certificates; the plugin's default agent does not (CVE-2026-107318).
function createAgent(connectTimeoutMs: number): Agent {
  return new Agent({
    connections: maxConnections,
    keepAliveTimeout: keepAliveMs,
    connect: { timeout: connectTimeoutMs },
  })
}

// Returns the plugin's options for each request: its upstream, its query and the headers forwarded in each direction.
function forwardingOptions({
  upstreams,
  names,
  viewers,
  deadlinesMs,
}: ProxyOptions): FastifyHttpProxyOptions['replyOptions'] {
  return {
    getUpstream: (request) => upstreams[serviceOf(request)],
    queryString: (_search, _url, request) => targetOf(request).query,
    rewriteRequestHeaders: (request) =>
      upstreamHeaders(request, { names, viewers }, deadlinesMs[targetOf(request).route.deadline]),
    rewriteHeaders: (headers, request) => filterResponseHeaders(headers, request?.target ?? null),
  }
}

// Sets the body limit of each route. The plugin has no option for it.
function limitBodies(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    const bodyLimit = bodyLimits.get(route.url)
    if (bodyLimit !== undefined) route.bodyLimit = bodyLimit
  })
}

// Buffers request bodies, so that a request is forwarded only after its body is complete and its size is known.
function bufferBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => {
    done(null, body.length > 0 ? body : undefined)
  })
}
