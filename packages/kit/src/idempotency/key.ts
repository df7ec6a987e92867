import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { conflict, DomainError } from '../errors/problem.ts'
import { readKey } from '../http/route-definition.ts'

/** A request with an idempotency key. */
export interface IdempotentRequest {
  /** User, route and key, joined by spaces. Also identifies the lock for this key. */
  id: string
  userId: string
  route: string
  key: string
  bodyHash: Buffer
}

/**
 * Reads the request's idempotency key. Returns null if the request has no key or no signed-in user. Throws `invalid`
 * (400) for a malformed key.
 */
export function readIdempotentRequest(request: FastifyRequest): IdempotentRequest | null {
  const value = request.caller === null ? null : readKey(request)
  if (value === null || request.caller === null) return null
  const { userId } = request.caller
  const route = `${request.method} ${request.routeOptions.url ?? ''}`
  const bodyHash = hashOf([request.params, request.body])
  return { id: `${userId} ${route} ${value}`, userId, route, key: value, bodyHash }
}

export function keyInProgress(): DomainError {
  return conflict('idempotency_in_progress', 'The first request with this Idempotency-Key is still running.')
}

/** Returns the error (422) for a key that was used with a different request body. */
export function keyReused(): DomainError {
  return new DomainError(
    'unprocessable',
    'idempotency_key_reused',
    'This Idempotency-Key was used for another request. Please send a new one.',
  )
}

// Hashes the parsed value with sorted keys, so that whitespace and field order of a request do not change the hash.
function hashOf(value: unknown): Buffer {
  return createHash('sha256').update(JSON.stringify(value, sortKeys)).digest()
}

function sortKeys(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
