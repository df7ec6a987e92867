import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type {
  Category,
  Conversation,
  Listing,
  ListingDetail,
  Message,
  PaymentConfig,
  Sort,
  Transaction,
} from './types.ts'
import { callApi, getJson } from './http.ts'

export type ListingFilters = {
  search?: string
  category?: string
  condition?: string
  minPrice?: string
  maxPrice?: string
  sort?: Sort
  limit?: string
}

export type ListingPage = { listings: Listing[]; total: string; nextCursor: string | null }

/** The cursor of `Link: <…?cursor=…>; rel="next"`, null on the last page. */
export function nextCursor(linkHeader: string | null): string | null {
  const target = /<([^>]*)>\s*;[^,]*\brel="?next"?/.exec(linkHeader ?? '')?.[1]
  return target === undefined ? null : new URL(target, 'http://localhost').searchParams.get('cursor')
}

async function getListings(filters: ListingFilters, cursor: string | null): Promise<ListingPage> {
  const query = new URLSearchParams(Object.entries(filters).filter(([, value]) => value !== ''))
  if (cursor !== null) query.set('cursor', cursor)
  const response = await callApi(query.size > 0 ? `/api/listings?${query}` : '/api/listings')
  const listings: Listing[] = await response.json()
  const total = response.headers.get('x-total-count') ?? String(listings.length)
  return { listings, total, nextCursor: nextCursor(response.headers.get('link')) }
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

const startCursor: string | null = null

export function listingQuery(id: string) {
  return queryOptions({
    queryKey: ['listing', id],
    queryFn: () => getJson<ListingDetail>(`/api/listings/${encodeURIComponent(id)}`),
    staleTime: 1_000,
    meta: { failure: 'Failed to load listing:' },
  })
}

export const categoriesQuery = queryOptions({
  queryKey: ['categories'],
  queryFn: () => getJson<Category[]>('/api/categories'),
  staleTime: 60 * 60_000,
  meta: { failure: 'Failed to load categories:' },
})

/** Everything under this key belongs to one person and goes with the session. */
export const privateKey = 'mine'

export const myListingsQuery = queryOptions({
  queryKey: [privateKey, 'listings'],
  queryFn: () => getJson<Listing[]>('/api/users/me/listings'),
  meta: { failure: 'Failed to load your listings:' },
})

export const transactionsQuery = queryOptions({
  queryKey: [privateKey, 'transactions'],
  queryFn: () => getJson<Transaction[]>('/api/transactions'),
  meta: { failure: 'Failed to load transactions:' },
})

export const conversationsQuery = queryOptions({
  queryKey: [privateKey, 'conversations'],
  queryFn: () => getJson<Conversation[]>('/api/conversations'),
  refetchInterval: 5_000,
  meta: { failure: 'Failed to load conversations:' },
})

export function messagesQuery(conversationId: string) {
  return queryOptions({
    queryKey: [privateKey, 'messages', conversationId],
    queryFn: () => getJson<Message[]>(`/api/conversations/${encodeURIComponent(conversationId)}/messages`),
    refetchInterval: 3_000,
    meta: { failure: 'Failed to load messages:' },
  })
}

export const paymentConfigQuery = queryOptions({
  queryKey: ['payment-config'],
  queryFn: () => getJson<PaymentConfig>('/api/stripe/config'),
  staleTime: Number.POSITIVE_INFINITY,
  meta: { failure: 'Failed to load payment system:' },
})
