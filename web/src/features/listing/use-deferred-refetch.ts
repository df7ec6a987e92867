import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { listingQuery } from '../../api/queries/queries.ts'

const refetchDelayMs = 2_500

/**
 * Refetches a listing that was loaded as initial data, after the visitor has stayed for 2.5 s. The web server loaded
 * the listing without counting a view, so this request counts the view.
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
