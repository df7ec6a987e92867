import type { QueryState } from '@tanstack/react-query'

const minIntervalMs = 2_000
const maxIntervalMs = 30_000

/**
 * A `refetchInterval` function for data that a form requires. After a failure, it returns the delay until the next retry in
 * milliseconds; the delay doubles with each failure. Otherwise it returns false, which disables refetching.
 */
export function retryInterval({ state }: { state: Pick<QueryState, 'status' | 'errorUpdateCount'> }): number | false {
  if (state.status !== 'error') return false
  return Math.min(minIntervalMs * 2 ** (state.errorUpdateCount - 1), maxIntervalMs)
}
