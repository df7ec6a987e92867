import type { QueryState } from '@tanstack/react-query'

const firstPauseMs = 2_000
const longestPauseMs = 30_000

/** `refetchInterval` of what a form cannot do without: asked again as long as it fails, each time after twice the pause. */
export function askAgain({ state }: { state: Pick<QueryState, 'status' | 'errorUpdateCount'> }): number | false {
  if (state.status !== 'error') return false
  return Math.min(firstPauseMs * 2 ** (state.errorUpdateCount - 1), longestPauseMs)
}
