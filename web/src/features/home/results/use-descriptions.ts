import { hashKey } from '@tanstack/react-query'
import { useEffect } from 'react'
import { listingsPerPage, listingsQuery, type ListingFilters } from '../../../api/queries/queries.ts'
import type { CardListing } from '../../../api/client/types.ts'

interface List {
  data?: { items: CardListing[] } | undefined
  refetch: () => Promise<unknown>
}

/**
 * Refetches the listings if descriptions are shown but missing. Only the first page can lack them, all of them, because
 * the home page's initial data has no descriptions.
 */
export function useDescriptions(filters: ListingFilters, { data, refetch }: List, areShown: boolean): void {
  const firstPage = data?.items.slice(0, listingsPerPage) ?? []
  const areMissing = areShown && firstPage.length > 0 && firstPage.every(({ description }) => description === '')
  // The query's hash instead of a boolean, so that a change to other filters whose descriptions are missing refetches too.
  const lackingQuery = areMissing ? hashKey(listingsQuery(filters).queryKey) : null
  useEffect(() => {
    if (lackingQuery !== null) void refetch()
  }, [lackingQuery, refetch])
}
