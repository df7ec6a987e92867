import type { Query } from '@tanstack/react-query'
import { ApiError } from '../client/http.ts'

/** Delays in milliseconds after the first three failures in a row. */
const delaysMs = [2_000, 5_000, 15_000]
const lastDelayMs = 30_000

const lastingStatuses = new Set([401, 403, 404])

/** Returns whether repeating a read cannot help: the user is signed out, or the resource is missing or forbidden. */
export function isLasting(error: unknown): boolean {
  return error instanceof ApiError && lastingStatuses.has(error.status)
}

interface FailingQuery {
  state: Pick<Query['state'], 'status' | 'error' | 'errorUpdateCount'>
}

/**
 * A `refetchInterval` function. After a failed read, it returns the delay until the next attempt in milliseconds. Otherwise it
 * returns false, which disables refetching. Expects that `errorUpdateCount` is reset by a success; see query-client.ts.
 */
export function retryInterval({ state }: FailingQuery): number | false {
  if (state.status !== 'error' || isLasting(state.error)) return false
  return delaysMs[state.errorUpdateCount - 1] ?? lastDelayMs
}

/** A `refetchInterval` function that polls every `pollMs`. After a failed read, the delays of retryInterval apply instead. */
export function pollInterval(pollMs: number) {
  return (query: FailingQuery): number => retryInterval(query) || pollMs
}

/**
 * Returns whether a query is loading and has not failed yet. While a failed read is repeated, the page shows the failed state
 * instead of the loading state.
 */
export function isFirstLoad(query: { isPending: boolean; errorUpdateCount: number }): boolean {
  return query.isPending && query.errorUpdateCount === 0
}
