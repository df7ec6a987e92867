import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { mergeListing } from '../../rules/live.ts'
import { fetchPage, nextCursor, pagedQuery, readCorrection, startCursor, toPagedList, type ListPage } from './paged.ts'
import { responseBody, api } from '../client/client.ts'
import type { components, paths } from '../schema.gen.ts'
import type { CardListing, ListingStatus } from '../client/types.ts'

/** Prefix of the query keys for personal data, which is removed from the cache when the session ends. */
export const privateQueryKey = 'mine'

type ListingQuery = NonNullable<paths['/api/listings']['get']['parameters']['query']>
export type Sort = NonNullable<ListingQuery['sort']>
export type ListingFilters = Omit<ListingQuery, 'cursor' | 'fields'>
/** Body and headers of a `GET /api/listings` response. */
export interface ListingsResponse {
  listings: CardListing[]
  total: string | null
  link: string | null
  corrected: string | null
}

/**
 * Converts a `GET /api/listings` response to a page. Without `x-total-count`, the total is the number of listings in
 * the response.
 */
export function toListingPage({ listings, total, link, corrected }: ListingsResponse): ListPage<CardListing> {
  return {
    items: listings,
    total: total ?? String(listings.length),
    activeTotal: null,
    corrected: readCorrection(corrected),
    nextCursor: nextCursor(link),
  }
}

async function getListings(filters: ListingFilters, cursor: string | null): Promise<ListPage<CardListing>> {
  const query = { ...filters, ...(cursor !== null && { cursor }), fields: 'card' }
  return fetchPage(
    '/api/listings',
    Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)])),
  )
}

/** Number of listings on a page of `GET /api/listings` without `limit`. */
export const listingsPerPage = 24

export function listingsQuery(filters: ListingFilters) {
  return infiniteQueryOptions({
    queryKey: ['listings', filters],
    queryFn: ({ pageParam }) => getListings(filters, pageParam),
    initialPageParam: startCursor,
    getNextPageParam: (page) => page.nextCursor,
    select: toPagedList<CardListing>,
    staleTime: 15_000,
    meta: { failure: 'Failed to load listings:' },
  })
}

export type Facets = components['schemas']['Facets']

/** The number of matching listings for each value of each filter. */
export function facetsQuery({ sort: _sort, limit: _limit, ...filters }: ListingFilters) {
  return queryOptions({
    queryKey: ['facets', filters],
    queryFn: () => responseBody(api.GET('/api/listings/facets', { params: { query: filters } })),
    staleTime: 15_000,
    meta: { failure: 'Failed to load filter counts:' },
  })
}

/** Suggestions for a search that has no results. */
export function recoveryQuery({ sort: _sort, limit: _limit, ...filters }: ListingFilters) {
  return queryOptions({
    queryKey: ['recovery', filters],
    queryFn: () => responseBody(api.GET('/api/search/recovery', { params: { query: filters } })),
    staleTime: 15_000,
    meta: { failure: 'Failed to load other results:' },
  })
}

/** Listings similar to a given listing. */
export function similarQuery(id: string) {
  return queryOptions({
    queryKey: ['similar', id],
    queryFn: async () => (await fetchPage<CardListing>(`/api/listings/${id}/similar`, { fields: 'card' })).items,
    staleTime: 60_000,
    meta: { failure: 'Failed to load similar items:' },
  })
}

export function listingQuery(id: string) {
  return queryOptions({
    queryKey: ['listing', id],
    queryFn: async ({ client, queryKey }) => {
      const listing = await responseBody(api.GET('/api/listings/{id}', { params: { path: { id } } }))
      return mergeListing(client.getQueryData(queryKey), listing)
    },
    // Initial data (update count 0) is not refetched on mount, because use-deferred-refetch.ts refetches it later.
    staleTime: ({ state }) => (state.dataUpdateCount === 0 ? 10_000 : 1_000),
    meta: { failure: 'Failed to load listing:' },
  })
}

export const categoriesQuery = queryOptions({
  queryKey: ['categories'],
  queryFn: () => responseBody(api.GET('/api/categories')),
  staleTime: 60 * 60_000,
  meta: { failure: 'Failed to load categories:' },
})

/** Prefix of the query keys for the user's own listings. */
export const myListingsKey = [privateQueryKey, 'listings']

/** The user's own listings with the given status, or all of them if the status is null. */
export function ownListingsQuery(status: ListingStatus | null) {
  const filter: Record<string, string> = status === null ? {} : { status }
  return pagedQuery({
    queryKey: [...myListingsKey, status ?? 'all'],
    load: (query) => fetchPage<CardListing>('/api/users/me/listings', { ...query, ...filter, fields: 'card' }),
    failure: 'Failed to load your listings:',
  })
}

export const paymentConfigQuery = queryOptions({
  queryKey: ['payment-config'],
  queryFn: () => responseBody(api.GET('/api/stripe/config')),
  staleTime: Number.POSITIVE_INFINITY,
  meta: { failure: 'Failed to load payment system:' },
})
