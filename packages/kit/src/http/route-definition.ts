import type { FastifyContextConfig, FastifyInstance, FastifyRequest, RouteOptions } from 'fastify'
import { invalid } from '../errors/problem.ts'
import { problemsOf, type ProblemStatus } from './responses.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the route accepts requests without a session, which otherwise get 401. */
    open?: boolean
    /** If true, the session is not read. Requires `open: true`. */
    ignoresSession?: boolean
    /**
     * Whether the route accepts an Idempotency-Key. The default is true for writes that require a session, and false
     * for other routes.
     */
    acceptsKey?: boolean
  }
}

interface RouteDefinition {
  method: string | readonly string[]
  config?: FastifyContextConfig | undefined
  schema?: { querystring?: unknown; response?: unknown } | undefined
  url: string
}

export function isRead({ method }: Pick<RouteDefinition, 'method'>): boolean {
  return [method].flat().every((name) => name === 'GET' || name === 'HEAD')
}

export function acceptsKey({ method, config }: Pick<RouteDefinition, 'method' | 'config'>): boolean {
  return config?.acceptsKey ?? !(isRead({ method }) || config?.open === true)
}

export const maxKeyLength = 255

/** Pattern of an Idempotency-Key: 1 to 255 printable ASCII characters, without a space at the start or end. */
export const keyForm = /^[\x21-\x7e]([\x20-\x7e]{0,253}[\x21-\x7e])?$/

/** Returns the Idempotency-Key of a request, or null if it has none. Throws `invalid` (400) if the key is malformed. */
export function readKey({ headers }: Pick<FastifyRequest, 'headers'>): string | null {
  const value = headers['idempotency-key']
  if (value === undefined) return null
  if (typeof value === 'string' && keyForm.test(value)) return value
  throw invalid('Idempotency-Key', `Idempotency-Key must have 1 to ${maxKeyLength} printable ASCII characters`)
}

async function checkKey(request: FastifyRequest): Promise<void> {
  readKey(request)
}

/**
 * Adds the common responses of each route to its schema, so that they are documented and their bodies are validated.
 * Also rejects a malformed Idempotency-Key with 400 before the handler runs.
 */
export function declareCommonResponses(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    if (acceptsKey(route)) route.preValidation = [checkKey, ...[route.preValidation ?? []].flat()]
    if (!hasResponses(route.schema)) return
    const response = { ...problemsOf(commonStatuses(route)), ...route.schema.response }
    // Creates a new object, because several routes can share one schema.
    route.schema = { ...route.schema, response }
  })
}

function hasResponses(schema: RouteOptions['schema']): schema is { response: object } {
  return typeof schema?.response === 'object' && schema.response !== null
}

// Returns the common error statuses of a route. 409: the first request with the Idempotency-Key is still running. 422:
// the key was used for another request. 503: the database is unavailable, no connection was free in time, or the public
// keys for access tokens could not be fetched.
function commonStatuses(route: RouteDefinition): ProblemStatus[] {
  const isWrite = !isRead(route)
  const statuses: readonly (readonly [boolean, readonly ProblemStatus[]])[] = [
    [isWrite || route.schema?.querystring !== undefined, [400]],
    [route.config?.ignoresSession !== true, [401]],
    [route.url.includes(':'), [404]],
    [isWrite, [413, 415]],
    [acceptsKey(route), [409, 422]],
    [true, [500, 503]],
  ]
  return statuses.flatMap(([applies, those]) => (applies ? those : []))
}
