import type { Cents } from '@marketplace/kit/values/money.ts'
import { conflict, forbidden, invalid } from '@marketplace/kit/errors/problem.ts'
import type { Listing } from '../listing/listing.ts'
import { lowestPriceFor } from '../listing/shipping-bound.ts'

export const offerStatuses = ['pending', 'accepted', 'rejected', 'withdrawn'] as const
export const offerSides = ['buyer', 'seller'] as const

export type OfferStatus = (typeof offerStatuses)[number]
export type OfferSide = (typeof offerSides)[number]

export interface Offer {
  id: string
  listingId: string
  listingTitle: string
  sellerId: string
  buyerId: string
  madeBy: OfferSide
  amount: Cents
  /** Shipping cost of the listing when the offer was made. */
  shipping: Cents
  /** Version of the listing's terms when the offer was made. */
  termsVersion: number
  message: string | null
  status: OfferStatus
  createdAt: Date
  updatedAt: Date
  /** When a pending offer expires. */
  expiresAt: Date
}

/** The content of an offer or a counter-offer. */
export interface OfferDraft {
  amount: Cents
  message: string | null
}

export interface OfferOrigin {
  id: string
  buyerId: string
  madeBy: OfferSide
  ttlMs: number
  now: Date
}

/**
 * Returns a new pending offer. Throws `invalid` (400) if the amount is below the lowest price for the listing's
 * shipping cost.
 */
export function createOffer(listing: Listing, draft: OfferDraft, { ttlMs, now, ...origin }: OfferOrigin): Offer {
  const problem = findAmountProblem({ amount: draft.amount, shipping: listing.shipping })
  if (problem !== null) throw invalid('amount', problem)
  return {
    ...draft,
    ...origin,
    listingId: listing.id,
    listingTitle: listing.title,
    sellerId: listing.sellerId,
    shipping: listing.shipping,
    termsVersion: listing.termsVersion,
    status: 'pending',
    createdAt: now,
    updatedAt: now,
    expiresAt: new Date(now.getTime() + ttlMs),
  }
}

/**
 * Throws `amount_too_low` (409) if the amount is below the lowest price for the offer's shipping cost. `createOffer`
 * rejects such offers, but versions of this service without that check stored them.
 */
export function requireAcceptableAmount(offer: Offer): void {
  const problem = findAmountProblem(offer)
  if (problem !== null) throw conflict('amount_too_low', `${problem}. Make a counteroffer.`)
}

function findAmountProblem({ amount, shipping }: Pick<Offer, 'amount' | 'shipping'>): string | null {
  const lowest = lowestPriceFor(shipping)
  if (amount >= lowest) return null
  return `Offer amount must be at least ${dollars(lowest)}, because shipping is ${dollars(shipping)}`
}

function dollars(cents: number): string {
  return (cents / 100).toLocaleString('en-US', { style: 'currency', currency: 'USD' })
}

export interface OfferingBuyer {
  buyerId: string
  /** Whether the seller has blocked the buyer. */
  isBlocked: boolean
}

/**
 * Throws unless the buyer may make an offer on this listing. Offers are allowed even while the item is held for another
 * buyer.
 */
export function requireOfferable(listing: Listing, { buyerId, isBlocked }: OfferingBuyer): void {
  if (listing.sellerId === buyerId) throw forbidden('own_listing', 'You cannot make an offer on your own listing.')
  if (isBlocked) throw forbidden('seller_unavailable', "This seller isn't available to you.")
  if (listing.isAuction) throw conflict('wrong_kind', 'This item is sold by auction and does not accept offers.')
  if (!listing.acceptOffers) throw forbidden('no_offers', 'This listing does not accept offers.')
  requireActive(listing)
}

export function requireActive(listing: Listing): void {
  if (!listing.isActive) throw conflict('inactive', 'This item is no longer available.')
}

/** Returns the user's side of the offer, or null if the user is neither buyer nor seller. */
export function sideOf({ buyerId, sellerId }: Offer, userId: string): OfferSide | null {
  if (userId === buyerId) return 'buyer'
  return userId === sellerId ? 'seller' : null
}

/**
 * Throws unless this side may accept, reject or counter the offer. The offer must be pending, and the other side must
 * have made it.
 */
export function requireRespondable(offer: Offer, side: OfferSide, now: Date): void {
  if (side === offer.madeBy) throw forbidden('not_your_turn', 'Only the other party can respond to this offer.')
  requirePending(offer, now)
}

/** Throws unless this side may withdraw the offer. The offer must be pending, and this side must have made it. */
export function requireWithdrawable(offer: Offer, side: OfferSide, now: Date): void {
  if (side !== offer.madeBy) throw forbidden('not_your_turn', 'Only the party that made this offer can withdraw it.')
  requirePending(offer, now)
}

export function withStatus(offer: Offer, status: OfferStatus, now: Date): Offer {
  return { ...offer, status, updatedAt: now }
}

/** Returns an expired pending offer with the status `withdrawn`, and any other offer unchanged. */
export function applyExpiry(offer: Offer, now: Date): Offer {
  return offer.status === 'pending' && offer.expiresAt <= now ? withStatus(offer, 'withdrawn', offer.expiresAt) : offer
}

function requirePending(offer: Offer, now: Date): void {
  if (offer.status !== 'pending') throw conflict('already_answered', 'This offer has already been answered.')
  if (offer.expiresAt <= now) throw conflict('offer_lapsed', 'This offer has expired.')
}
