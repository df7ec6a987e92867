import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { responseBody, api } from '../client/client.ts'
import { withIdempotencyKey } from '../client/with-idempotency-key.ts'
import { fetchPage, pagedQuery } from './paged.ts'
import { privateQueryKey } from './queries.ts'
import { pollInterval, retryInterval } from './retry-interval.ts'
import type { Listing, Offer } from '../client/types.ts'

const path = '/api/offers'

const load = (query: Record<string, string>) => fetchPage<Offer>(path, query)

const offers = {
  queryKey: [privateQueryKey, 'offers'],
  failure: 'Failed to load offers:',
}

// Offers are polled, because they have no live stream.
const pollMs = 10_000

/** Prefix of the query keys for offers. */
export const offersKey = offers.queryKey

/** The user's pending offers. */
export const pendingOffersQuery = {
  ...pagedQuery({
    ...offers,
    queryKey: [...offers.queryKey, 'pending'],
    load: (query) => load({ ...query, status: 'pending' }),
  }),
  refetchInterval: pollInterval(pollMs),
}

export type OfferDirection = 'received' | 'made'

export function offersQuery(direction: OfferDirection) {
  return infiniteQueryOptions({
    ...pagedQuery({
      ...offers,
      queryKey: [...offers.queryKey, direction],
      load: (query) => load({ ...query, received: String(direction === 'received') }),
    }),
    // Polling stops once a second page is loaded, because a poll would refetch all loaded pages.
    refetchInterval: (query) => retryInterval(query) || ((query.state.data?.pages.length ?? 0) > 1 ? false : pollMs),
  })
}

/** The user's newest offers on one listing. */
export function listingOffersQuery(listingId: string) {
  return queryOptions({
    queryKey: [...offers.queryKey, listingId],
    queryFn: async () => (await load({ listing_id: listingId })).items,
    refetchInterval: pollInterval(pollMs),
    meta: { failure: offers.failure },
  })
}

/** Terms of an offer as they are sent in a request: `amount` is in dollars, not cents. */
export interface OfferTerms {
  amount: number
  message?: string
}

/**
 * Makes an offer on a listing. The server rejects the offer if the listing's terms have changed since they were loaded.
 */
export function makeOffer({ id, terms_version }: Listing, terms: OfferTerms): Promise<Offer> {
  const offer = { listing_id: id, listing_version: terms_version, ...terms }
  return withIdempotencyKey('/api/offers', offer, (body, headers) =>
    responseBody(api.POST('/api/offers', { body, headers })),
  )
}

export function counterOffer(id: string, terms: OfferTerms): Promise<Offer> {
  return withIdempotencyKey(`/api/offers/${id}/counter`, terms, (body, headers) =>
    responseBody(api.POST('/api/offers/{id}/counter', { params: { path: { id } }, body, headers })),
  )
}

export type OfferAction = 'accept' | 'reject' | 'withdraw'

export function respondToOffer(id: string, step: OfferAction): Promise<Offer> {
  const params = { path: { id } }
  if (step === 'accept') return responseBody(api.POST('/api/offers/{id}/accept', { params }))
  if (step === 'reject') return responseBody(api.POST('/api/offers/{id}/reject', { params }))
  return responseBody(api.POST('/api/offers/{id}/withdraw', { params }))
}
