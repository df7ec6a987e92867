import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { newestOf } from '../rules/live.ts'
import { askAgain } from './ask-again.ts'
import { answer, api } from './client.ts'
import type { FirstListings } from './first-answer.ts'
import type { paths } from './schema.gen.ts'
import type { Listing } from './types.ts'

/** Everything under this key belongs to one person and goes with the session. */
export const privateKey = 'mine'

type ListingQuery = NonNullable<paths['/api/listings']['get']['parameters']['query']>
export type Sort = NonNullable<ListingQuery['sort']>
export type ListingFilters = Omit<ListingQuery, 'cursor'>
export type ListingPage = { listings: Listing[]; total: string; nextCursor: string | null }

/** The cursor of `Link: <…?cursor=…>; rel="next"`, null on the last page. */
export function nextCursor(linkHeader: string | null): string | null {
  const target = /<([^>]*)>\s*;[^,]*\brel="?next"?/.exec(linkHeader ?? '')?.[1]
  return target === undefined ? null : new URL(target, 'http://localhost').searchParams.get('cursor')
}

/** A page of listings from the body and the headers that it is answered with. */
export function readPage({ listings, total, link }: Omit<FirstListings, 'filters'>): ListingPage {
  return { listings, total: total ?? String(listings.length), nextCursor: nextCursor(link) }
}

async function getListings(filters: ListingFilters, cursor: string | null): Promise<ListingPage> {
  const query = cursor === null ? filters : { ...filters, cursor }
  const { data: listings = [], response } = await api.GET('/api/listings', { params: { query } })
  return readPage({ listings, total: response.headers.get('x-total-count'), link: response.headers.get('link') })
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
      const listing = await answer(api.GET('/api/listings/{id}', { params: { path: { id } } }))
      return newestOf(client.getQueryData(queryKey), listing)
    },
    // What came with the page is shown until its first look; see ListingPage.
    staleTime: ({ state }) => (state.dataUpdateCount === 0 ? 10_000 : 1_000),
    meta: { failure: 'Failed to load listing:' },
  })
}

/** The highest bid of one's own since the page was loaded: bids are answered with masked names only. */
export function ownBidQuery(listingId: string) {
  return queryOptions({
    queryKey: [privateKey, 'own-bid', listingId],
    queryFn: (): number | null => null,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  })
}

/** Keyed by the number of bids too: history only grows, so the answer for a number stays as it is. */
export function bidsQuery(id: string, bidCount: number) {
  return queryOptions({
    queryKey: ['bids', id, bidCount],
    queryFn: () => answer(api.GET('/api/auctions/{id}/bids', { params: { path: { id } } })),
    staleTime: 60_000,
    placeholderData: keepPreviousData,
    meta: { failure: 'Failed to load bids:' },
  })
}

export const categoriesQuery = queryOptions({
  queryKey: ['categories'],
  queryFn: () => answer(api.GET('/api/categories')),
  staleTime: 60 * 60_000,
  refetchInterval: askAgain,
  meta: { failure: 'Failed to load categories:' },
})

export const myListingsQuery = queryOptions({
  queryKey: [privateKey, 'listings'],
  queryFn: () => answer(api.GET('/api/users/me/listings')),
  meta: { failure: 'Failed to load your listings:' },
})

export const transactionsQuery = queryOptions({
  queryKey: [privateKey, 'transactions'],
  queryFn: () => answer(api.GET('/api/transactions')),
  // A win or an accepted offer follows its event by a moment.
  refetchInterval: 4_000,
  meta: { failure: 'Failed to load transactions:' },
})

export const conversationsQuery = queryOptions({
  queryKey: [privateKey, 'conversations'],
  queryFn: () => answer(api.GET('/api/conversations')),
  refetchInterval: 5_000,
  meta: { failure: 'Failed to load conversations:' },
})

export function messagesQuery(id: string) {
  return queryOptions({
    queryKey: [privateKey, 'messages', id],
    queryFn: () => answer(api.GET('/api/conversations/{id}/messages', { params: { path: { id } } })),
    refetchInterval: 3_000,
    meta: { failure: 'Failed to load messages:' },
  })
}

export const paymentConfigQuery = queryOptions({
  queryKey: ['payment-config'],
  queryFn: () => answer(api.GET('/api/stripe/config')),
  staleTime: Number.POSITIVE_INFINITY,
  meta: { failure: 'Failed to load payment system:' },
})
