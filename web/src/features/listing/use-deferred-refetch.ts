import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { listingQuery } from '../../api/queries/queries.ts'

// The refetch counts as a view; the delay excludes visitors who leave at once.
const refetchDelayMs = 2_500

/**
 * Refetches a listing that was loaded as initial data, so that the visit counts as a view; the web server's request
 * does not.
 */
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
