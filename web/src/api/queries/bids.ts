import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, responseBody } from '../client/client.ts'
import type { BidLine, OwnBids } from '../client/types.ts'
import { fetchPage, pagedQuery } from './paged.ts'
import { privateQueryKey } from './queries.ts'
import { retryInterval } from './retry-interval.ts'

/** An auction with the user's bid status. */
export function auctionQuery(listingId: string) {
  return queryOptions({
    queryKey: [privateQueryKey, 'auction', listingId],
    queryFn: () => responseBody(api.GET('/api/auctions/{id}', { params: { path: { id: listingId } } })),
    meta: { failure: 'Failed to load your bid:' },
  })
}

function loadBids(listingId: string, query: Record<string, string>) {
  return fetchPage<BidLine>(`/api/auctions/${listingId}/bids`, query)
}

const failure = 'Failed to load bids:'

/** Number of bids in the list of newest bids, both on the page and in the live stream. */
export const maxNewestBids = 5

/** The newest bids of an auction. The result never becomes stale, because a new bid changes the query key. */
export function newestBidsQuery(listingId: string, bidCount: number) {
  return queryOptions({
    queryKey: ['bids', listingId, bidCount],
    // The result is also truncated here, because the previous version of the auction service ignores `limit`.
    queryFn: async () => (await loadBids(listingId, { limit: `${maxNewestBids}` })).items.slice(0, maxNewestBids),
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
    meta: { failure },
  })
}

/** Whether the live stream sends the newest bids, so that the page does not need to request them. */
export function hasStreamedBidsQuery(listingId: string) {
  return queryOptions({
    queryKey: ['streamed-bids', listingId],
    queryFn: () => false,
    // Only the live stream sets this value.
    initialData: false,
    staleTime: 'static',
  })
}

/** The complete bid history of an auction, which is not refreshed while it is shown. */
export function bidHistoryQuery(listingId: string) {
  return {
    ...pagedQuery({ queryKey: ['bid-history', listingId], load: (query) => loadBids(listingId, query), failure }),
    // The history is not cached, so that it is loaded from its first page each time the user opens it.
    gcTime: 0,
    refetchOnWindowFocus: false,
  }
}

export type OwnBidsState = 'active' | 'won' | 'lost'

const pollMs = 10_000

/** The auctions in which the user has bid. */
export function myBidsQuery(state: OwnBidsState) {
  const list = pagedQuery({
    queryKey: [privateQueryKey, 'my-bids', state],
    load: async (query) => {
      const page = await fetchPage<OwnBids>('/api/users/me/bids', { ...query, state })
      return { ...page, items: page.items.map((item) => ({ ...item, id: item.listing_id })) }
    },
    failure: 'Failed to load your bids:',
  })
  return infiniteQueryOptions({
    ...list,
    // Polling stops once a second page is loaded, because a poll would refetch all loaded pages.
    refetchInterval: (query) => retryInterval(query) || ((query.state.data?.pages.length ?? 0) > 1 ? false : pollMs),
  })
}
