import { useQueryClient, type QueryCache } from '@tanstack/react-query'
import { useCallback, useSyncExternalStore } from 'react'

function hasFailingRead(cache: QueryCache): boolean {
  return cache.getAll().some((query) => query.state.errorUpdateCount > 0 && query.isActive())
}

/** Returns whether any query that a mounted component uses has failed and is being retried. */
export function useFailingReads(): boolean {
  const cache = useQueryClient().getQueryCache()
  const subscribe = useCallback((onChange: () => void) => cache.subscribe(onChange), [cache])
  return useSyncExternalStore(
    subscribe,
    () => hasFailingRead(cache),
    () => false,
  )
}
