import { queryOptions } from '@tanstack/react-query'
import { responseBody, api } from '../client/client.ts'
import { withIdempotencyKey } from '../client/with-idempotency-key.ts'
import { privateQueryKey } from './queries.ts'
import type { Offer } from '../client/types.ts'

export const offersQuery = queryOptions({
  queryKey: [privateQueryKey, 'offers'],
  queryFn: () => responseBody(api.GET('/api/offers')),
  refetchInterval: 15_000,
  meta: { failure: 'Failed to load offers:' },
})

/** Terms of an offer as requests send them: `amount` is in dollars, not cents. */
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
