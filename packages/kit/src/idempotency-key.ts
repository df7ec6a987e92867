import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { conflict, DomainError, invalid } from './problem.ts'

/** A write that carries a key: what it is stored and locked under, and what it asked for. */
export interface KeyedRequest {
  /** User, route and key in one. */
  id: string
  userId: string
  route: string
  key: string
  bodyHash: Buffer
}

const header = 'idempotency-key'

// Printable ASCII; Node has joined repeated headers and trimmed the ends.
const keyForm = /^[\x20-\x7e]{1,255}$/

/** The request's key; null without one, and signed out, where there is nobody to keep an answer for. */
export function keyedRequest(request: FastifyRequest): KeyedRequest | null {
  const given = request.headers[header]
  if (given === undefined || request.caller === null) return null
  if (typeof given !== 'string' || !keyForm.test(given))
    throw invalid('Idempotency-Key', 'Idempotency-Key must have 1 to 255 printable ASCII characters')
  const { userId } = request.caller
  const route = `${request.method} ${request.routeOptions.url ?? ''}`
  const bodyHash = hashOf([request.params, request.body])
  return { id: `${userId} ${route} ${given}`, userId, route, key: given, bodyHash }
}

export function keyInProgress(): DomainError {
  return conflict('idempotency_in_progress', 'The first request with this Idempotency-Key is still running.')
}

/** The same key with another body. */
export function keyReused(): DomainError {
  return new DomainError(
    'unprocessable',
    'idempotency_key_reused',
    'This Idempotency-Key was used for another request. Please send a new one.',
  )
}

// The body as the route understood it, so that spaces, the order of fields and unknown fields make no other request.
function hashOf(value: unknown): Buffer {
  return createHash('sha256').update(JSON.stringify(value, sortKeys)).digest()
}

function sortKeys(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
