import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { listingQuery } from '../../api/queries.ts'

const firstLookMs = 2_500

/** What came with the page was nobody's view. Somebody who stays asks once, which counts and brings what has changed. */
export function useFirstLook(id: string): void {
  const queryClient = useQueryClient()
  useEffect(() => {
    const { queryKey } = listingQuery(id)
    const isUnseen = queryClient.getQueryState(queryKey)?.dataUpdateCount === 0
    if (!isUnseen) return undefined
    const timer = window.setTimeout(() => void queryClient.refetchQueries({ queryKey }), firstLookMs)
    return () => window.clearTimeout(timer)
  }, [id, queryClient])
}
