import pg from 'pg'
import { DomainError } from './problem.ts'

// SQLSTATE classes and codes of errors after which a retry can succeed:
// - 08: connection
// - 40: deadlock, serialization
// - 53: resources
// - 55: locks
// - 57: shutdown, timeouts
// - 25006: read-only server
// - 25P03: idle transaction timeout
const unavailableStates = /^(08|40|53|55|57|25006$|25P03$)/
// - 23505: unique violation, possibly by a concurrent transaction
const transientStates = new RegExp(`${unavailableStates.source}|^23505$`)
const transientNetworkCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
])
// pg reports some connection errors and timeouts without a code, so their messages are matched.
const transientMessages =
  /connection terminated|timeout exceeded when trying to connect|not queryable|query read timeout/i

/** Returns whether a retry can succeed: the database was unavailable, or a concurrent transaction conflicted. */
export function isTransient(error: unknown): boolean {
  return isFailure(error, transientStates)
}

/**
 * Returns whether a request that failed with this error gets 503. Unlike `isTransient`, returns false for a unique
 * violation: use cases handle the expected ones, and another is a bug.
 */
export function isUnavailable(error: unknown): boolean {
  return isFailure(error, unavailableStates)
}

function isFailure(error: unknown, states: RegExp): boolean {
  if (error instanceof pg.DatabaseError) return states.test(error.code ?? '')
  if (error instanceof DomainError) return error.kind === 'unavailable'
  if (!(error instanceof Error)) return false
  if ('code' in error && typeof error.code === 'string' && transientNetworkCodes.has(error.code)) return true
  return transientMessages.test(error.message) || isFailure(error.cause, states)
}
