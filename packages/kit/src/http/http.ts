import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import swagger from '@fastify/swagger'
import fastify, {
  LogController,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
} from 'fastify'
import { serializerCompiler, validatorCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod'
import { readCaller } from '../auth/auth.ts'
import type { Caller, VerifyToken } from '../auth/caller.ts'
import { compressMarkedRoutes } from './compress.ts'
import { deadlineHeader, withDeadline } from './deadline.ts'
import { registerErrorHandler, handleRouterError } from './errors.ts'
import type { Log } from '../telemetry/log.ts'
import { countInFlight } from './in-flight.ts'
import { beginSpan, endSpan } from './trace.ts'
import { httpDuration } from '../telemetry/metrics.ts'
import { describeRoute, describeService, securitySchemes } from './openapi.ts'
import { declareCommonResponses } from './route-definition.ts'
import { invalid, unauthenticated } from '../errors/problem.ts'
import { findDuplicateKey, isDeeperThan } from './json-checks.ts'
import { trace } from '../telemetry/trace.ts'

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | null
  }
  interface FastifyListenOptions {
    /** Node's `reusePort` option, which lets several processes on one machine listen on the same port. */
    reusePort?: boolean
  }
}

// Maximum size of a request body, in bytes. Larger bodies are rejected with 413.
const maxBodyBytes = 64 * 1024
// Maximum number of levels of the JSON in a request body. Functions that call themselves for each level, such as
// JSON.stringify, fail on the 32,000 levels that fit in a body.
const maxBodyDepth = 100

// Fastify sets no timeouts by default, so a slow or silent client could hold its connection forever.
const timeouts = { requestTimeout: 15_000, connectionTimeout: 60_000, keepAliveTimeout: 65_000 }

export interface PublicAppOptions {
  name: string
  log: Log
  verifyToken: VerifyToken
}

/**
 * Builds the public app of a service, which accepts only JSON bodies. Routes require a session unless their
 * `config.open` is true (see `route-definition.ts`).
 */
export function buildPublicApp(options: PublicAppOptions) {
  const app = buildApp(options.log).withTypeProvider<ZodTypeProvider>()
  app.decorateRequest('caller', null)
  app.addHook('onRequest', async (request) => {
    const { config } = request.routeOptions
    if (config.ignoresSession === true) return
    request.caller = await readCaller(request, options.verifyToken)
    const isOpen = request.is404 || config.open === true
    if (!isOpen && request.caller === null) throw unauthenticated()
  })
  compressMarkedRoutes(app)
  declareCommonResponses(app)
  app.register(swagger, {
    openapi: { openapi: '3.1.0', info: { title: options.name, version: '1' }, components: { securitySchemes } },
    transform: describeRoute,
    transformObject: describeService,
  })
  return app
}

export type PublicApp = ReturnType<typeof buildPublicApp>

/** Builds a Fastify app without routes, with the shared error format, request ids, limits and JSON parser. */
export function buildApp(log: Log, options: FastifyServerOptions = {}): FastifyInstance {
  const app: FastifyInstance = fastify({
    loggerInstance: log,
    // Disables Fastify's child logger per request, which would add the request id a second time (see telemetry/log.ts).
    childLoggerFactory: (logger) => logger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: maxBodyBytes,
    genReqId: (request) => requestId(request.headers['x-request-id']),
    routerOptions: { maxParamLength: 200 },
    frameworkErrors: handleRouterError,
    ...timeouts,
    ...options,
  })
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  acceptJsonOnly(app)
  registerErrorHandler(app)
  endConnectionsOnClose(app)
  app.addHook('onRequest', (request, _reply, done) => {
    trace.run(beginSpan(request).context, () => withDeadline(timeoutOf(request), done))
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

/** Returns the caller of the request. Throws `unauthenticated` (401) if the request has no session. */
export function callerOf(request: FastifyRequest): Caller {
  if (request.caller === null) throw unauthenticated()
  return request.caller
}

// Returns the timeout of a request in ms, or 0 if the request has none. The gateway sends the timeout with a public
// request, and the Connect client sends it with an internal call.
function timeoutOf(request: FastifyRequest): number {
  return Number(header(request, deadlineHeader) ?? header(request, 'connect-timeout-ms'))
}

function header(request: FastifyRequest, name: string): string | null {
  const value = request.headers[name]
  return typeof value === 'string' ? value : null
}

const closing = new WeakSet<object>()

/** Makes each response of the app close its connection, so that clients reconnect to another instance. */
export function drainConnections(app: FastifyInstance): void {
  closing.add(app)
}

/**
 * Serves requests for another `delayMs`, then closes the app. During this time, each response closes its connection, so
 * that clients reconnect to another instance.
 */
export async function closeGracefully(app: FastifyInstance, delayMs: number): Promise<void> {
  drainConnections(app)
  await sleep(delayMs)
  await app.close()
}

// While the app closes, makes each response close its connection. Fastify's `close` ends only idle connections, so a
// connection with a request in progress would delay the shutdown.
function endConnectionsOnClose(app: FastifyInstance): void {
  const endConnection = (reply: FastifyReply) => {
    if (closing.has(app)) reply.header('connection', 'close')
  }
  app.addHook('preClose', async () => drainConnections(app))
  // Needed beside `onSend`, because the Connect plugin sends the reply's headers but does not run `onSend` hooks.
  app.addHook('onRequest', (_request, reply, done) => {
    endConnection(reply)
    done()
  })
  app.addHook('onSend', (_request, reply, _payload, done) => {
    endConnection(reply)
    done()
  })
}

const requestIdForm = /^[\w-]{1,64}$/

function requestId(value: string | readonly string[] | undefined): string {
  return typeof value === 'string' && requestIdForm.test(value) ? value : randomUUID()
}

const byteOrderMark = '\u{FEFF}'

// Replaces Fastify's default parsers: rejects text/plain, and accepts an empty body with the type application/json.
function acceptJsonOnly(app: FastifyInstance): void {
  const parseJson = app.getDefaultJsonParser('error', 'error')
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    if (body.length === 0) return done(null, undefined)
    try {
      const json = decoder.decode(typeof body === 'string' ? Buffer.from(body) : body)
      // Fastify's parser ignores a byte order mark, but JSON must not start with one (RFC 8259, 8.1).
      if (json.startsWith(byteOrderMark)) throw new Error('The body starts with a byte order mark.')
      return parseJson(request, json, (error, value) => {
        if (error) return done(error, undefined)
        if (isDeeperThan(json, maxBodyDepth))
          return done(invalid('body', `Body must have at most ${maxBodyDepth} levels`), undefined)
        const duplicate = findDuplicateKey(json)
        if (duplicate !== null)
          return done(invalid(duplicate.slice(0, 100), 'A field appears more than once'), undefined)
        // Rejects values that are not objects, because a route without a body schema would accept them.
        if (!isObject(value)) return done(invalid('body', 'Body must be an object'), undefined)
        return done(null, value)
      })
    } catch {
      return done(Object.assign(new Error('The body is not valid JSON in UTF-8.'), { statusCode: 400 }), undefined)
    }
  })
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
