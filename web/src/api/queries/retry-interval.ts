import type { QueryState } from '@tanstack/react-query'

const minIntervalMs = 2_000
const maxIntervalMs = 30_000

/**
 * `refetchInterval` for data that a form requires. Returns the delay until the next retry in milliseconds, doubled after each
 * failure; false unless the query has failed.
 */
export function retryInterval({ state }: { state: Pick<QueryState, 'status' | 'errorUpdateCount'> }): number | false {
  if (state.status !== 'error') return false
  return Math.min(minIntervalMs * 2 ** (state.errorUpdateCount - 1), maxIntervalMs)
}
