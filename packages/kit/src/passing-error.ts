import pg from 'pg'
import { DomainError } from './problem.ts'

// 08 connection, 40 deadlock and serialization, 53 resources, 55 locks, 57 shutdown and timeouts, 25006 a server that was
// demoted, 25P03 a transaction cut off, 23505 a row that another transaction made first.
const passingStates = /^(08|40|53|55|57|25006$|25P03$|23505$)/
const passingNetworkCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
])
// What the client says without a code when its connection or its pool fails.
const passingMessages =
  /connection terminated|timeout exceeded when trying to connect|not queryable|query read timeout/i

/** Whether the same work may succeed later with nothing changed: the database was away, or someone was in the way. */
export function isPassing(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return passingStates.test(error.code ?? '')
  if (error instanceof DomainError) return error.kind === 'unavailable'
  if (!(error instanceof Error)) return false
  if ('code' in error && typeof error.code === 'string' && passingNetworkCodes.has(error.code)) return true
  return passingMessages.test(error.message) || isPassing(error.cause)
}
