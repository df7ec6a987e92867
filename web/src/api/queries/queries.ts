import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { mergeListing } from '../../rules/live.ts'
import { retryInterval } from './retry-interval.ts'
import { responseBody, api } from '../client/client.ts'
import type { paths } from '../schema.gen.ts'
import type { Listing } from '../client/types.ts'

/** Prefix of the query keys of personal data, which is removed from the cache when the session ends. */
export const privateQueryKey = 'mine'

type ListingQuery = NonNullable<paths['/api/listings']['get']['parameters']['query']>
export type Sort = NonNullable<ListingQuery['sort']>
export type ListingFilters = Omit<ListingQuery, 'cursor'>
export interface ListingPage {
  listings: Listing[]
  total: string
  nextCursor: string | null
}
/** Body and headers of a response of `GET /api/listings`. */
export interface ListingsResponse {
  listings: Listing[]
  total: string | null
  link: string | null
}

/** Returns the cursor of the header `Link: <…?cursor=…>; rel="next"`; null on the last page. */
export function nextCursor(linkHeader: string | null): string | null {
  const target = /<([^>]*)>\s*;[^,]*\brel="?next"?/.exec(linkHeader ?? '')?.[1]
  return target === undefined ? null : new URL(target, 'http://localhost').searchParams.get('cursor')
}

/** Converts a response of `GET /api/listings` to a page. Without `x-total-count`, the total is the number of listings. */
export function toListingPage({ listings, total, link }: ListingsResponse): ListingPage {
  return { listings, total: total ?? String(listings.length), nextCursor: nextCursor(link) }
}

async function getListings(filters: ListingFilters, cursor: string | null): Promise<ListingPage> {
  const query = cursor === null ? filters : { ...filters, cursor }
  const { data: listings = [], response } = await api.GET('/api/listings', { params: { query } })
  return toListingPage({ listings, total: response.headers.get('x-total-count'), link: response.headers.get('link') })
}

export function listingsQuery(filters: ListingFilters) {
  return infiniteQueryOptions({
    queryKey: ['listings', filters],
    queryFn: ({ pageParam }) => getListings(filters, pageParam),
    initialPageParam: startCursor,
    getNextPageParam: (page) => page.nextCursor,
    staleTime: 15_000,
    meta: { failure: 'Failed to load listings:' },
  })
}

export const startCursor: string | null = null

export function listingQuery(id: string) {
  return queryOptions({
    queryKey: ['listing', id],
    queryFn: async ({ client, queryKey }) => {
      const listing = await responseBody(api.GET('/api/listings/{id}', { params: { path: { id } } }))
      return mergeListing(client.getQueryData(queryKey), listing)
    },
    // Initial data stays fresh for 10 s, which covers the deferred refetch after 2.5 s (use-deferred-refetch.ts).
    staleTime: ({ state }) => (state.dataUpdateCount === 0 ? 10_000 : 1_000),
    meta: { failure: 'Failed to load listing:' },
  })
}

/** The user's highest bid since the page was loaded, in cents. Kept in the cache, because the API masks the names of bidders. */
export function ownBidQuery(listingId: string) {
  return queryOptions({
    queryKey: [privateQueryKey, 'own-bid', listingId],
    queryFn: (): number | null => null,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  })
}

/** Keyed by listing and bid count: bids are only added, so the list for a count never changes. */
export function bidsQuery(id: string, bidCount: number) {
  return queryOptions({
    queryKey: ['bids', id, bidCount],
    queryFn: () => responseBody(api.GET('/api/auctions/{id}/bids', { params: { path: { id } } })),
    staleTime: 60_000,
    placeholderData: keepPreviousData,
    meta: { failure: 'Failed to load bids:' },
  })
}

export const categoriesQuery = queryOptions({
  queryKey: ['categories'],
  queryFn: () => responseBody(api.GET('/api/categories')),
  staleTime: 60 * 60_000,
  refetchInterval: retryInterval,
  meta: { failure: 'Failed to load categories:' },
})

export const myListingsQuery = queryOptions({
  queryKey: [privateQueryKey, 'listings'],
  queryFn: () => responseBody(api.GET('/api/users/me/listings')),
  meta: { failure: 'Failed to load your listings:' },
})

export const transactionsQuery = queryOptions({
  queryKey: [privateQueryKey, 'transactions'],
  queryFn: () => responseBody(api.GET('/api/transactions')),
  // Polled, because a win or an accepted offer becomes a transaction shortly after the event.
  refetchInterval: 4_000,
  meta: { failure: 'Failed to load transactions:' },
})

export const conversationsQuery = queryOptions({
  queryKey: [privateQueryKey, 'conversations'],
  queryFn: () => responseBody(api.GET('/api/conversations')),
  refetchInterval: 5_000,
  meta: { failure: 'Failed to load conversations:' },
})

export function messagesQuery(id: string) {
  return queryOptions({
    queryKey: [privateQueryKey, 'messages', id],
    queryFn: () => responseBody(api.GET('/api/conversations/{id}/messages', { params: { path: { id } } })),
    refetchInterval: 3_000,
    meta: { failure: 'Failed to load messages:' },
  })
}

export const paymentConfigQuery = queryOptions({
  queryKey: ['payment-config'],
  queryFn: () => responseBody(api.GET('/api/stripe/config')),
  staleTime: Number.POSITIVE_INFINITY,
  meta: { failure: 'Failed to load payment system:' },
})
