import type { Offer } from '../api/types.ts'

export type Side = Offer['made_by']

export function sideOf(offer: Offer, userId: string): Side {
  return offer.buyer_id === userId ? 'buyer' : 'seller'
}

export type OfferState = Offer['status'] | 'expired'

/** An offer that nobody answered in time is withdrawn by the server a little later. */
export function stateOf(offer: Offer, now: number): OfferState {
  return offer.status === 'pending' && Date.parse(offer.expires_at) <= now ? 'expired' : offer.status
}

/** The side that made an open offer may withdraw it, the other may answer. */
export function turnOf(offer: Offer, userId: string, now: number): 'answer' | 'withdraw' | null {
  if (stateOf(offer, now) !== 'pending') return null
  return offer.made_by === sideOf(offer, userId) ? 'withdraw' : 'answer'
}
