import { timingSafeEqual } from 'node:crypto'
import type { DescService } from '@bufbuild/protobuf'
import {
  Code,
  ConnectError,
  createClient,
  type Client,
  type ConnectRouter,
  type Interceptor,
  type Transport,
} from '@connectrpc/connect'
import { fastifyConnectPlugin } from '@connectrpc/connect-fastify'
import { createConnectTransport } from '@connectrpc/connect-node'
import type { FastifyInstance } from 'fastify'
import { timeFor } from './deadline.ts'
import { connectErrorOf, DomainError, unavailable } from './problem.ts'
import { observeCalls } from './rpc-metrics.ts'
import { traceCalls } from './rpc-trace.ts'

const secretHeader = 'x-internal-secret'

/** Serves internal calls; each needs the shared secret, besides the network policy. */
export function serveRpc(app: FastifyInstance, secret: string, routes: (router: ConnectRouter) => void): void {
  const guard: Interceptor = (next) => async (request) => {
    if (!isSame(request.header.get(secretHeader), secret)) throw new ConnectError('Not for you.', Code.Unauthenticated)
    try {
      return await next(request)
    } catch (error) {
      throw error instanceof DomainError ? connectErrorOf(error) : error
    }
  }
  app.register(async (scope) => {
    // The plugin brings its own and refuses to start beside ours.
    scope.removeAllContentTypeParsers()
    scope.register(fastifyConnectPlugin, { routes, interceptors: [guard] })
  })
}

/** A client of another service's internal port, keeping its connections. Deadlines go with each call: `{ timeoutMs }`, cut to what is left of the request's. */
export function rpcClient<Service extends DescService>(
  service: Service,
  baseUrl: string,
  secret: string,
): Client<Service> {
  const identify: Interceptor = (next) => (request) => {
    request.header.set(secretHeader, secret)
    return next(request)
  }
  const transport = createConnectTransport({
    baseUrl,
    httpVersion: '1.1',
    interceptors: [observeCalls, traceCalls, identify],
  })
  return createClient(service, withinDeadline(transport))
}

function withinDeadline(transport: Transport): Transport {
  return {
    unary: (method, signal, timeoutMs, ...given) => transport.unary(method, signal, timeFor(timeoutMs), ...given),
    stream: (method, signal, timeoutMs, ...given) => transport.stream(method, signal, timeFor(timeoutMs), ...given),
  }
}

/** The answer, or 503 naming what is missing when there was none in time. */
export async function answerOr503<Answer>(call: Promise<Answer>, what: string): Promise<Answer> {
  try {
    return await call
  } catch (error) {
    throw isUnanswered(error) ? unavailable(what) : error
  }
}

/** The answer, or the fallback when there was none in time. */
export async function answerOr<Answer, Fallback>(
  call: Promise<Answer>,
  fallback: Fallback,
): Promise<Answer | Fallback> {
  try {
    return await call
  } catch (error) {
    if (isUnanswered(error)) return fallback
    throw error
  }
}

const unansweredCodes = new Set([
  Code.Unavailable,
  // While a release rolls, an older neighbour may not know the call yet.
  Code.Unimplemented,
  Code.DeadlineExceeded,
  Code.Aborted,
  Code.Canceled,
  Code.Internal,
  Code.Unknown,
])

function isUnanswered(error: unknown): boolean {
  return error instanceof ConnectError && unansweredCodes.has(error.code)
}

function isSame(given: string | null, expected: string): boolean {
  const left = Buffer.from(given ?? '')
  const right = Buffer.from(expected)
  return left.length === right.length && timingSafeEqual(left, right)
}
