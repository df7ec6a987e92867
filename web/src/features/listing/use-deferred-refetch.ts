import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { listingQuery } from '../../api/queries/queries.ts'

// The delay excludes visitors who leave at once from the view count.
const refetchDelayMs = 2_500

/** Refetches a listing from the initial data, because the web server's own request does not count as a view. */
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
