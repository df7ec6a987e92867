import httpProxy from '@fastify/http-proxy'
import type { CookieNames } from '@marketplace/kit/cookies.ts'
import { counter } from '@marketplace/kit/metrics.ts'
import { unavailable } from '@marketplace/kit/problem.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Target } from '../routing/match.ts'
import type { Service, TimeLimit } from '../routing/route.ts'
import { routeTable, webRoute } from '../routing/route-table.ts'
import { openAnotherTry } from './another-try.ts'
import { boundInFlight, type Admit } from './in-flight.ts'
import { answerHeaders } from './answer-headers.ts'
import { upstreamHeaders } from './request-headers.ts'

export interface ProxyOptions {
  upstreams: Readonly<Record<Service, string>>
  names: CookieNames
  connectTimeoutMs: number
  timeLimitsMs: Readonly<Record<TimeLimit, number>>
  /** Requests that wait for one service. */
  maxInFlight: number
}

const unanswered = counter('gateway_upstream_failures_total', 'Requests that a service gave no answer to in time.', [
  'upstream',
])

// Shorter than the services keep an idle connection (65 s), so that none is taken up just as it is closed.
const keepAliveMs = 30_000
const maxConnections = 256

const proxied = [...routeTable, webRoute].filter((route) => route.to !== 'gateway')

// The one place that knows the proxy plugin. The router above it sees templates only, so the plugin gets no path of a
// client's to match or rewrite: its releases have open advisories on just that.
export async function proxyRoutes(app: FastifyInstance, options: ProxyOptions): Promise<void> {
  readBodiesWhole(app)
  const admit = boundInFlight(options.maxInFlight)
  const anotherTry = openAnotherTry()
  await app.register(httpProxy, {
    upstream: '',
    proxyPayloads: false,
    routes: [...new Set(proxied.map((route) => route.template))],
    httpMethods: ['GET', 'HEAD', 'POST', 'DELETE'],
    disableCache: true,
    disableRequestLogging: true,
    internalRewriteLocationHeader: false,
    destroyAgent: true,
    undici: {
      connections: maxConnections,
      keepAliveTimeout: keepAliveMs,
      connectTimeout: options.connectTimeoutMs,
      // The plugin turns this off unless told.
      connect: { rejectUnauthorized: true },
    },
    handler: (request, reply, _template, hooks) => {
      anotherTry.noteFirst()
      return sendOn({ request, reply, hooks }, options, admit)
    },
    replyOptions: {
      getUpstream: (request) => options.upstreams[serviceOf(request)],
      queryString: (_search, _url, request) => request.target?.query ?? '',
      rewriteRequestHeaders: (request) =>
        upstreamHeaders(request, options.names, options.timeLimitsMs[targetOf(request).route.timeLimit]),
      rewriteHeaders: (headers, request) => answerHeaders(headers, (request?.target?.route.cookies.length ?? 0) > 0),
      // The plugin's default repeats a GET ten times after a 503.
      retryDelay: ({ err, req, attempt }) => anotherTry.delayAfter(err, req, attempt),
    },
  })
}

type Hooks = NonNullable<Parameters<FastifyReply['from']>[1]>

interface Call {
  request: FastifyRequest
  reply: FastifyReply
  hooks: Hooks
}

function sendOn({ request, reply, hooks }: Call, { timeLimitsMs }: ProxyOptions, admit: Admit): FastifyReply {
  const { path, route } = targetOf(request)
  const timeout = timeLimitsMs[route.timeLimit]
  const service = serviceOf(request)
  const isInTime = admit({ service, importance: route.importance, limitMs: timeout }, reply)
  const body = request.body === undefined ? {} : { body: request.body, contentType: 'application/json' }
  return reply.from(path, {
    ...hooks,
    ...body,
    timeout,
    onResponse: (_request, _reply, answer) => void (isInTime() ? reply.send(answer.stream) : answer.stream.destroy()),
    onError: (_reply, { error }) => {
      unanswered.inc({ upstream: service })
      request.log.warn({ err: error, service }, 'an upstream gave no answer')
      if (isInTime()) reply.send(unavailable('This'))
    },
  })
}

// The plugin's own parser streams the body past `bodyLimit`. Read whole, nothing goes on before its end and size are known.
function readBodiesWhole(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => {
    done(null, body.length > 0 ? body : undefined)
  })
  app.addHook('onRoute', (route) => {
    route.bodyLimit = Math.max(
      ...proxied.filter(({ template }) => template === route.url).map(({ maxBodyBytes }) => maxBodyBytes),
    )
  })
}

function targetOf({ target }: Pick<FastifyRequest, 'target'>): Target {
  if (!target) throw new Error('The router let a request through that has no target.')
  return target
}

function serviceOf(request: Pick<FastifyRequest, 'target'>): Service {
  const { to } = targetOf(request).route
  if (to === 'gateway') throw new Error('The gateway is no upstream of itself.')
  return to
}
