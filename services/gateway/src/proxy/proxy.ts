import httpProxy, { type FastifyHttpProxyOptions } from '@fastify/http-proxy'
import type { CookieNames } from '@marketplace/kit/auth/cookies.ts'
import type { FastifyInstance } from 'fastify'
import { Agent } from 'undici'
import type { Route, Service, DeadlineClass } from '../routing/route.ts'
import { webRoute } from '../routing/route-table.ts'
import { bufferBodies, groupByBody, streamBodies } from './bodies.ts'
import { createAssetFinder } from './find-asset.ts'
import { createForwarder } from './forward.ts'
import type { ViewerCookies } from '../viewer/viewer-cookie.ts'
import { serviceOf, targetOf } from './forwarded-request.ts'
import { upstreamHeaders } from './request-headers.ts'
import { filterResponseHeaders } from './response-headers.ts'

export interface ProxyOptions {
  /** The route table. Routes that the gateway serves itself are ignored. */
  routes: readonly Route[]
  upstreams: Readonly<Record<Service, string>>
  names: CookieNames
  viewers: ViewerCookies
  connectTimeoutMs: number
  deadlinesMs: Readonly<Record<DeadlineClass, number>>
  /** Maximum number of concurrent requests per service. */
  maxInFlight: number
}

// Idle time, in ms, after which a connection to a service is closed: less than the services' own timeout (65 s).
const keepAliveMs = 30_000
const maxConnections = 256

/**
 * Forwards requests that passed the checks. The forwarded path is built from the route's template, and the headers are
 * built by `upstreamHeaders`.
 */
export async function proxyRoutes(app: FastifyInstance, options: ProxyOptions): Promise<void> {
  const { connectTimeoutMs, deadlinesMs, names, viewers } = options
  const findAsset = createAssetFinder({
    webUrl: options.upstreams.web,
    connectTimeoutMs,
    timeoutMs: deadlinesMs.normal,
    headersOf: (request) => upstreamHeaders(request, { names, viewers }, deadlinesMs.normal),
  })
  const forwarder = createForwarder({ ...options, findAsset })
  const undici = createAgent(connectTimeoutMs)
  const { buffered, streamed } = groupByBody([...options.routes, webRoute].filter(({ to }) => to !== 'gateway'))
  app.decorateRequest('forwarding', null)
  const scopes = [
    { templates: buffered, readBodies: bufferBodies },
    { templates: streamed, readBodies: streamBodies },
  ]
  for (const { templates, readBodies } of scopes) {
    if (templates.size === 0) continue
    app.register(async (scope) => {
      readBodies(scope)
      limitBodies(scope, templates)
      scope.register(httpProxy, { ...proxyOptions(options, forwarder), undici, routes: [...templates.keys()] })
    })
  }
}

function proxyOptions(options: ProxyOptions, { handler, onResponse, onError }: ReturnType<typeof createForwarder>) {
  return {
    upstream: '',
    httpMethods: ['HEAD', ...new Set([...options.routes, webRoute].map(({ method }) => method))],
    // Disables the plugin's body parser, which ignores Fastify's bodyLimit. `bufferBodies` and `streamBodies` register
    // other parsers.
    proxyPayloads: false,
    cacheURLs: 5000,
    disableRequestLogging: true,
    internalRewriteLocationHeader: false,
    destroyAgent: true,
    handler,
    replyOptions: { ...forwardingOptions(options), onResponse, onError },
  }
}

// This agent verifies TLS certificates; the plugin's default agent does not (CVE-2026-107318).
function createAgent(connectTimeoutMs: number): Agent {
  return new Agent({
    connections: maxConnections,
    keepAliveTimeout: keepAliveMs,
    connect: { timeout: connectTimeoutMs },
  })
}

// Returns the plugin's callbacks for choosing the service, building the query and request headers, and filtering
// response headers.
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

// Sets a body limit for each route. The proxy plugin has no option for this.
function limitBodies(app: FastifyInstance, templates: ReadonlyMap<string, readonly Route[]>): void {
  app.addHook('onRoute', (route) => {
    const rows = templates.get(route.url)
    if (rows) route.bodyLimit = Math.max(...rows.map(({ maxBodyBytes }) => maxBodyBytes))
  })
}
