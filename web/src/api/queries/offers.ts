import { queryOptions } from '@tanstack/react-query'
import { responseBody, api } from '../client/client.ts'
import { withIdempotencyKey } from '../client/with-idempotency-key.ts'
import { fetchPage, newestQuery, pagedQuery } from './paged.ts'
import { privateQueryKey } from './queries.ts'
import { pollInterval } from './retry-interval.ts'
import type { Offer } from '../client/types.ts'

const path = '/api/offers'

const offers = {
  queryKey: [privateQueryKey, 'offers'],
  load: (query: Record<string, string>) => fetchPage<Offer>(path, query),
  failure: 'Failed to load offers:',
  // Offers are polled, because they have no live stream.
  pollMs: 15_000,
}

/** Prefix of the query keys of offers. */
export const offersKey = offers.queryKey

export const offersQuery = pagedQuery(offers)
export const newestOffersQuery = newestQuery(offers)

/** The open offers. A poll loads all of them, because it must also notice offers that are no longer open. */
export const pendingOffersQuery = {
  ...pagedQuery({
    queryKey: [...offers.queryKey, 'pending'],
    load: (query) => fetchPage<Offer>(path, { ...query, status: 'pending' }),
    failure: offers.failure,
  }),
  refetchInterval: pollInterval(offers.pollMs),
}

/** The user's newest offers on one listing. */
export function listingOffersQuery(listingId: string) {
  return queryOptions({
    queryKey: [...offers.queryKey, listingId],
    queryFn: async () => (await fetchPage<Offer>(path, { listing_id: listingId })).items,
    refetchInterval: pollInterval(offers.pollMs),
    meta: { failure: offers.failure },
  })
}

/** Terms of an offer in the form of a request: `amount` is in dollars, not cents. */
export interface OfferTerms {
  amount: number
  message?: string
}

export function makeOffer(listingId: string, terms: OfferTerms): Promise<Offer> {
  return withIdempotencyKey('/api/offers', { listing_id: listingId, ...terms }, (body, headers) =>
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
