import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import swagger from '@fastify/swagger'
import fastify, { LogController, type FastifyInstance, type FastifyRequest, type FastifyServerOptions } from 'fastify'
import {
  jsonSchemaTransformObject,
  serializerCompiler,
  validatorCompiler,
  type ZodTypeProvider,
} from 'fastify-type-provider-zod'
import { readCaller, type Caller, type VerifyToken } from './auth.ts'
import { timeLimitHeader, withinTime } from './deadline.ts'
import { answerErrors, answerRouterError } from './http-errors.ts'
import type { Log } from './log.ts'
import { countInFlight } from './http-in-flight.ts'
import { beginSpan, endSpan } from './http-trace.ts'
import { httpDuration } from './metrics.ts'
import { describeRoute } from './openapi.ts'
import { invalid, unauthenticated } from './problem.ts'
import { repeatedField } from './repeated-fields.ts'
import { trace } from './trace.ts'

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | null
  }
  interface FastifyContextConfig {
    /** Answers without a session; every other route is 401 then. */
    open?: boolean
  }
  interface FastifyListenOptions {
    /** Node's own option, passed on: several processes of one machine share a port. */
    reusePort?: boolean
  }
}

// decisions.md, wire format.
const maxBodyBytes = 64 * 1024

// Fastify's own default is none: a slow or silent client would hold its connection for good.
const timeLimits = { requestTimeout: 15_000, connectionTimeout: 60_000, keepAliveTimeout: 65_000 }

export interface PublicAppOptions {
  name: string
  log: Log
  verifyToken: VerifyToken
}

/** A service's public app: JSON only, closed to signed-out callers unless a route says `config: { open: true }`. */
export function buildPublicApp(options: PublicAppOptions) {
  const app = buildApp(options.log).withTypeProvider<ZodTypeProvider>()
  app.decorateRequest('caller', null)
  app.addHook('onRequest', async (request) => {
    request.caller = await readCaller(request, options.verifyToken)
    const isOpen = request.is404 || request.routeOptions.config.open === true
    if (!isOpen && request.caller === null) throw unauthenticated()
  })
  app.register(swagger, {
    openapi: { openapi: '3.1.0', info: { title: options.name, version: '1' } },
    transform: describeRoute,
    transformObject: jsonSchemaTransformObject,
  })
  return app
}

export type PublicApp = ReturnType<typeof buildPublicApp>

/** A Fastify app with our errors, ids, limits and JSON parser; routes are up to the caller. */
export function buildApp(log: Log, options: FastifyServerOptions = {}): FastifyInstance {
  const app: FastifyInstance = fastify({
    loggerInstance: log,
    // The ids of a request are in its trace (log.ts); a logger for each would say them twice.
    childLoggerFactory: (logger) => logger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: maxBodyBytes,
    genReqId: (request) => requestId(request.headers['x-request-id']),
    routerOptions: { maxParamLength: 200 },
    frameworkErrors: answerRouterError,
    ...timeLimits,
    ...options,
  })
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  acceptJsonOnly(app)
  answerErrors(app)
  endConnectionsOnClose(app)
  app.addHook('onRequest', (request, _reply, done) => {
    trace.run(beginSpan(request).context, () => withinTime(timeLimitOf(request), done))
  })
  countInFlight(app)
  app.addHook('onResponse', (request, reply, done) => {
    const labels = { method: request.method, route: request.routeOptions.url ?? 'none', status: reply.statusCode }
    httpDuration.observe(labels, reply.elapsedTime / 1000)
    endSpan(request, labels)
    request.log.info({ ...labels, ms: Math.round(reply.elapsedTime) }, 'request')
    done()
  })
  return app
}

/** The caller of a route that is closed to signed-out callers. */
export function callerOf(request: FastifyRequest): Caller {
  if (request.caller === null) throw unauthenticated()
  return request.caller
}

// The gateway's, or that of an internal call.
function timeLimitOf(request: FastifyRequest): number {
  return Number(header(request, timeLimitHeader) ?? header(request, 'connect-timeout-ms'))
}

function header(request: FastifyRequest, name: string): string | null {
  const value = request.headers[name]
  return typeof value === 'string' ? value : null
}

const closing = new WeakSet<object>()

/** Goes on answering for `lingerMs` while each answer ends its connection, so that whoever keeps one moves on; then closes. */
export async function closeGently(app: FastifyInstance, lingerMs: number): Promise<void> {
  closing.add(app)
  await sleep(lingerMs)
  await app.close()
}

// Closing ends idle connections only; one that answers just then would stay, and the drain wait for it until it is overdue.
function endConnectionsOnClose(app: FastifyInstance): void {
  app.addHook('preClose', async () => void closing.add(app))
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (closing.has(app)) reply.header('connection', 'close')
    done()
  })
}

const requestIdForm = /^[\w-]{1,64}$/

function requestId(given: string | readonly string[] | undefined): string {
  return typeof given === 'string' && requestIdForm.test(given) ? given : randomUUID()
}

const byteOrderMark = '\u{FEFF}'

// Fastify's own parser refuses an empty body, which our calls without a payload allow, and text/plain would pass unread.
function acceptJsonOnly(app: FastifyInstance): void {
  const parseJson = app.getDefaultJsonParser('error', 'error')
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    if (body.length === 0) return done(null, undefined)
    try {
      const json = decoder.decode(typeof body === 'string' ? Buffer.from(body) : body)
      // Fastify's parser would pass over it; no JSON begins so (RFC 8259, 8.1).
      if (json.startsWith(byteOrderMark)) throw new Error('The body begins with a byte order mark.')
      return parseJson(request, json, (error, value) => {
        if (error) return done(error, undefined)
        const twice = repeatedField(json)
        if (twice !== null) return done(invalid(twice.slice(0, 100), 'A field is given twice'), undefined)
        // A call that takes no body has no schema to say so.
        if (!isObject(value)) return done(invalid('body', 'Body must be an object'), undefined)
        return done(null, value)
      })
    } catch {
      return done(Object.assign(new Error('The body is not JSON in UTF-8.'), { statusCode: 400 }), undefined)
    }
  })
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
