import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { BidLine } from '../client/types.ts'
import { fetchPage, pagedQuery } from './paged.ts'
import { privateQueryKey } from './queries.ts'

/** The user's highest bid since the page was loaded, in cents. Kept in the cache, because the API masks the names of bidders. */
export function ownBidQuery(listingId: string) {
  return queryOptions({
    queryKey: [privateQueryKey, 'own-bid', listingId],
    queryFn: (): number | null => null,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  })
}

function loadBids(listingId: string, query: Record<string, string>) {
  return fetchPage<BidLine>(`/api/auctions/${listingId}/bids`, query)
}

const failure = 'Failed to load bids:'

/** The number of newest bids that the page shows and the live stream sends. */
export const maxNewestBids = 5

/** The newest bids of an auction that had `bidCount` bids. They never change: bids are only added. */
export function newestBidsQuery(listingId: string, bidCount: number) {
  return queryOptions({
    queryKey: ['bids', listingId, bidCount],
    // Not only `limit`: an older server ignores it.
    queryFn: async () => (await loadBids(listingId, { limit: `${maxNewestBids}` })).items.slice(0, maxNewestBids),
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
    meta: { failure },
  })
}

/** Whether the live stream sends the newest bids, so that no bid causes a request. */
export function hasStreamedBidsQuery(listingId: string) {
  return queryOptions({
    queryKey: ['streamed-bids', listingId],
    queryFn: () => false,
    // Only the live stream changes it.
    initialData: false,
    staleTime: 'static',
  })
}

/** The whole bid history, as it was when it was opened. */
export function bidHistoryQuery(listingId: string) {
  return {
    ...pagedQuery({ queryKey: ['bid-history', listingId], load: (query) => loadBids(listingId, query), failure }),
    // Loaded again each time it is opened, from the first page.
    gcTime: 0,
    refetchOnWindowFocus: false,
  }
}
