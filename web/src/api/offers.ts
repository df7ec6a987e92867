import { queryOptions } from '@tanstack/react-query'
import { answer, api } from './client.ts'
import { sendOnce } from './send-once.ts'
import { privateKey } from './queries.ts'
import type { Offer } from './types.ts'

export const offersQuery = queryOptions({
  queryKey: [privateKey, 'offers'],
  queryFn: () => answer(api.GET('/api/offers')),
  refetchInterval: 15_000,
  meta: { failure: 'Failed to load offers:' },
})

/** Amounts in dollars, as every request has them. */
export type OfferTerms = { amount: number; message?: string }

export function makeOffer(listingId: string, terms: OfferTerms): Promise<Offer> {
  return sendOnce('/api/offers', { listing_id: listingId, ...terms }, (body, headers) =>
    answer(api.POST('/api/offers', { body, headers })),
  )
}

export function counterOffer(id: string, terms: OfferTerms): Promise<Offer> {
  return sendOnce(`/api/offers/${id}/counter`, terms, (body, headers) =>
    answer(api.POST('/api/offers/{id}/counter', { params: { path: { id } }, body, headers })),
  )
}

export type OfferAnswer = 'accept' | 'reject' | 'withdraw'

export function answerOffer(id: string, step: OfferAnswer): Promise<Offer> {
  const params = { path: { id } }
  if (step === 'accept') return answer(api.POST('/api/offers/{id}/accept', { params }))
  if (step === 'reject') return answer(api.POST('/api/offers/{id}/reject', { params }))
  return answer(api.POST('/api/offers/{id}/withdraw', { params }))
}
