import { setTimeout as sleep } from 'node:timers/promises'
import type { CookieNames } from '@marketplace/kit/cookies.ts'
import { counter } from '@marketplace/kit/metrics.ts'
import { unavailable } from '@marketplace/kit/problem.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Target } from '../routing/match.ts'
import type { Route, Service, TimeLimit } from '../routing/route.ts'
import { routeTable, webRoute } from '../routing/route-table.ts'
import { openAnotherTry, type AnotherTry } from './another-try.ts'
import { boundInFlight } from './in-flight.ts'
import { answerHeaders } from './answer-headers.ts'
import { openHop, type Answer, type Asking, type Hop } from './hop.ts'
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

const proxied = [...routeTable, webRoute].filter((route) => route.to !== 'gateway')

/** Sends on what was judged: to a path made of the route's template, with headers of ours. */
export async function proxyRoutes(app: FastifyInstance, options: ProxyOptions): Promise<void> {
  const { upstreams, names, timeLimitsMs } = options
  const admit = boundInFlight(options.maxInFlight)
  const anotherTry = openAnotherTry()
  const hop = openHop(options)
  app.addHook('onClose', () => hop.close())
  readBodiesWhole(app)
  async function sendOn(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    anotherTry.noteFirst()
    const { route, path, query } = targetOf(request)
    const service = serviceOf(route)
    const limitMs = timeLimitsMs[route.timeLimit]
    const isInTime = admit({ service, importance: route.importance, limitMs }, reply)
    const asking = {
      origin: upstreams[service],
      method: request.method,
      path: query === '' ? path : `${path}?${query}`,
      headers: upstreamHeaders(request, names, limitMs),
      body: bodyOf(request),
      limitMs,
      isWanted: isInTime,
    }
    try {
      const answer = await askAgain(hop, asking, anotherTry, reply)
      return answerWith(reply, answer, route.cookies.length > 0)
    } catch (error) {
      unanswered.inc({ upstream: service })
      request.log.warn({ err: error, service }, 'an upstream gave no answer')
      return isInTime() ? reply.send(unavailable('This')) : reply
    }
  }
  for (const [template, routes] of Map.groupBy(proxied, (route) => route.template)) {
    const bodyLimit = Math.max(...routes.map(({ maxBodyBytes }) => maxBodyBytes))
    app.route({ method: ['GET', 'HEAD', 'POST', 'DELETE'], url: template, bodyLimit, handler: sendOn })
  }
}

async function askAgain(hop: Hop, asking: Asking, anotherTry: AnotherTry, reply: FastifyReply): Promise<Answer> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await hop.ask(asking)
    } catch (error) {
      const waitMs = error instanceof Error ? anotherTry.delayAfter(error, asking, attempt) : null
      if (waitMs === null || reply.sent) throw error
      await sleep(waitMs)
    }
  }
}

function answerWith(reply: FastifyReply, { status, headers, body }: Answer, maySetCookies: boolean): FastifyReply {
  return reply.code(status).headers(answerHeaders(headers, maySetCookies)).send(body)
}

// Read whole, nothing goes on before its end and size are known.
function readBodiesWhole(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => {
    done(null, body.length > 0 ? body : undefined)
  })
}

function bodyOf({ body }: FastifyRequest): Buffer | null {
  return body instanceof Buffer ? body : null
}

function targetOf({ target }: FastifyRequest): Target {
  if (!target) throw new Error('The router let a request through that has no target.')
  return target
}

function serviceOf({ to }: Route): Service {
  if (to === 'gateway') throw new Error('The gateway is no upstream of itself.')
  return to
}
