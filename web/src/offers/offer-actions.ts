import type { Offer } from '../api/client/types.ts'

export type Side = Offer['made_by']

export function sideOf(offer: Offer, userId: string): Side {
  return offer.buyer_id === userId ? 'buyer' : 'seller'
}

export type OfferState = Offer['status'] | 'expired'

/**
 * Returns the state of an offer. A pending offer that is past its deadline counts as expired, even if the server has
 * not changed its status yet.
 */
export function offerState(offer: Offer, now: number): OfferState {
  return offer.status === 'pending' && Date.parse(offer.expires_at) <= now ? 'expired' : offer.status
}

/**
 * Returns what the user can do with an open offer: the user who made it can withdraw it, the other user can respond to it.
 * Returns null for a closed offer.
 */
export function availableAction(offer: Offer, userId: string, now: number): 'respond' | 'withdraw' | null {
  if (offerState(offer, now) !== 'pending') return null
  return offer.made_by === sideOf(offer, userId) ? 'withdraw' : 'respond'
}
