import type { Query } from '@tanstack/react-query'
import { ApiError } from '../client/http.ts'

/**
 * Delays in milliseconds after the first, second and third failure in a row. After further failures, `lastDelayMs`
 * applies.
 */
const delaysMs = [2_000, 5_000, 15_000]
const lastDelayMs = 30_000

const lastingStatuses = new Set([400, 401, 403, 404])

/**
 * Returns whether an error is permanent: the request is invalid, the user is signed out, or the resource is missing or
 * forbidden.
 */
export function isLasting(error: unknown): boolean {
  return error instanceof ApiError && lastingStatuses.has(error.status)
}

interface FailingQuery {
  state: Pick<Query['state'], 'status' | 'error' | 'errorUpdateCount'>
}

/**
 * Returns the delay, in ms, until a failed read is retried, or false for no retry. Pass this function as
 * `refetchInterval`.
 */
export function retryInterval({ state }: FailingQuery): number | false {
  if (state.status !== 'error' || isLasting(state.error)) return false
  return delaysMs[state.errorUpdateCount - 1] ?? lastDelayMs
}

/** Creates a `refetchInterval` function that returns the retry delay after a failed read, and otherwise `pollMs`. */
export function pollInterval(pollMs: number) {
  return (query: FailingQuery): number => retryInterval(query) || pollMs
}

/**
 * Returns whether a query is loading and has not failed yet. After a failure, the page shows an error instead of the
 * loading state, even while the read is retried.
 */
export function isFirstLoad(query: { isPending: boolean; errorUpdateCount: number }): boolean {
  return query.isPending && query.errorUpdateCount === 0
}
