import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { listingQuery } from '../../api/queries/queries.ts'

const refetchDelayMs = 2_500

/**
 * Refetches a listing that was loaded as initial data, because only this request counts a view. The delay of 2.5 s
 * excludes visitors who leave at once.
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
