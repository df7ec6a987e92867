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
import { remainingTime } from '../http/deadline.ts'
import { connectErrorOf, DomainError, unavailable } from '../errors/problem.ts'
import { observeCalls } from './metrics.ts'
import { traceCalls } from './trace.ts'

const secretHeader = 'x-internal-secret'

/** Serves internal calls. Rejects a call without the shared secret, even if the Kubernetes NetworkPolicies allow it. */
export function serveRpc(app: FastifyInstance, secret: string, routes: (router: ConnectRouter) => void): void {
  const checkSecret: Interceptor = (next) => async (request) => {
    if (!isEqualConstantTime(request.header.get(secretHeader), secret))
      throw new ConnectError('The internal secret is missing or wrong.', Code.Unauthenticated)
    try {
      return await next(request)
    } catch (error) {
      throw error instanceof DomainError ? connectErrorOf(error) : error
    }
  }
  app.register(async (scope) => {
    // The Connect plugin registers its own parsers. It fails if the app already has a parser for one of its content
    // types.
    scope.removeAllContentTypeParsers()
    scope.register(fastifyConnectPlugin, { routes, interceptors: [checkSecret] })
  })
}

/**
 * Creates a client for another service's internal port. The `timeoutMs` of each call is limited to the time left until
 * the deadline of the current request.
 */
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
  return createClient(service, limitToDeadline(transport))
}

function limitToDeadline(transport: Transport): Transport {
  return {
    unary: (method, signal, timeoutMs, ...rest) => transport.unary(method, signal, remainingTime(timeoutMs), ...rest),
    stream: (method, signal, timeoutMs, ...rest) => transport.stream(method, signal, remainingTime(timeoutMs), ...rest),
  }
}

/**
 * Returns the response of a call. Throws `unavailable` (503), with `what` in the message, if the service is unavailable
 * or the deadline has passed.
 */
export async function responseOr503<Result>(call: Promise<Result>, what: string): Promise<Result> {
  try {
    return await call
  } catch (error) {
    throw isUnavailable(error) ? unavailable(what) : error
  }
}

/**
 * Returns the response of a call, or `fallback` if the service is unavailable or the deadline has passed. Rethrows
 * other errors.
 */
export async function responseOr<Result, Fallback>(
  call: Promise<Result>,
  fallback: Fallback,
): Promise<Result | Fallback> {
  try {
    return await call
  } catch (error) {
    if (isUnavailable(error)) return fallback
    throw error
  }
}

const unavailableCodes = new Set([
  Code.Unavailable,
  // Counts as unavailable: during a rolling update, an instance of the previous version might not implement the RPC
  // method.
  Code.Unimplemented,
  // Counts as unavailable: after a change of the internal secret, instances have different secrets until all have been
  // restarted.
  Code.Unauthenticated,
  Code.DeadlineExceeded,
  Code.Aborted,
  Code.Canceled,
  Code.Internal,
  Code.Unknown,
])

function isUnavailable(error: unknown): boolean {
  return error instanceof ConnectError && unavailableCodes.has(error.code)
}

function isEqualConstantTime(actual: string | null, expected: string): boolean {
  const left = Buffer.from(actual ?? '')
  const right = Buffer.from(expected)
  return left.length === right.length && timingSafeEqual(left, right)
}
