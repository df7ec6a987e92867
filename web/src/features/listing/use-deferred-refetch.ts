import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { listingQuery } from '../../api/queries/queries.ts'

// Delay before the fetch that counts a view, so that visitors who leave at once are not counted.
const refetchDelayMs = 2_500

/** Refetches a listing that came with the initial data, because only a fetch by the browser counts as a view. */
export function useDeferredRefetch(id: string): void {
  const queryClient = useQueryClient()
  useEffect(() => {
    const { queryKey } = listingQuery(id)
    const isInitialData = queryClient.getQueryState(queryKey)?.dataUpdateCount === 0
    if (!isInitialData) return undefined
    const timer = window.setTimeout(() => void queryClient.refetchQueries({ queryKey }), refetchDelayMs)
    return () => window.clearTimeout(timer)
  }, [id, queryClient])
}
