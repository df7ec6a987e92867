import type { Offer } from '../api/client/types.ts'

export type Side = Offer['made_by']

export function sideOf(offer: Offer, userId: string): Side {
  return offer.buyer_id === userId ? 'buyer' : 'seller'
}

export type OfferState = Offer['status'] | 'expired'

/** Returns the state of an offer. A pending offer past its deadline counts as expired before the server marks it. */
export function offerState(offer: Offer, now: number): OfferState {
  return offer.status === 'pending' && Date.parse(offer.expires_at) <= now ? 'expired' : offer.status
}

/** Returns the user's action on an open offer: its maker may withdraw it, the other party may respond. Null for a closed offer. */
export function availableAction(offer: Offer, userId: string, now: number): 'respond' | 'withdraw' | null {
  if (offerState(offer, now) !== 'pending') return null
  return offer.made_by === sideOf(offer, userId) ? 'withdraw' : 'respond'
}
