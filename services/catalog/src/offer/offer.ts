import type { Cents } from '@marketplace/kit/money.ts'
import { conflict, forbidden } from '@marketplace/kit/problem.ts'
import type { Listing } from '../listing/listing.ts'

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
  message: string | null
  status: OfferStatus
  createdAt: Date
  updatedAt: Date
  /** A pending offer lapses then. */
  expiresAt: Date
}

/** What somebody offers or counters with. */
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

export function makeOffer(listing: Listing, draft: OfferDraft, { ttlMs, now, ...origin }: OfferOrigin): Offer {
  return {
    ...draft,
    ...origin,
    listingId: listing.id,
    listingTitle: listing.title,
    sellerId: listing.sellerId,
    status: 'pending',
    createdAt: now,
    updatedAt: now,
    expiresAt: new Date(now.getTime() + ttlMs),
  }
}

/** Throws unless this buyer may make an offer on this listing; one that somebody else holds takes offers too. */
export function requireOfferable(listing: Listing, buyerId: string): void {
  if (listing.sellerId === buyerId) throw forbidden('own_listing', 'You cannot make an offer on your own listing.')
  if (listing.isAuction) throw conflict('wrong_kind', 'This item is sold by auction and takes no offers.')
  if (!listing.acceptOffers) throw forbidden('no_offers', 'This listing takes no offers.')
  requireActive(listing)
}

export function requireActive(listing: Listing): void {
  if (!listing.isActive) throw conflict('inactive', 'This item is no longer for sale.')
}

/** Which side of the offer somebody is on; to all others it does not exist. */
export function sideOf({ buyerId, sellerId }: Offer, userId: string): OfferSide | null {
  if (userId === buyerId) return 'buyer'
  return userId === sellerId ? 'seller' : null
}

/** Throws unless this side may answer the offer now: it was asked, and nobody has answered yet. */
export function requireAnswerable(offer: Offer, side: OfferSide, now: Date): void {
  if (side === offer.madeBy) throw forbidden('not_your_turn', 'The other side has to answer this offer.')
  requirePending(offer, now)
}

/** Throws unless this side may take the offer back. */
export function requireWithdrawable(offer: Offer, side: OfferSide, now: Date): void {
  if (side !== offer.madeBy) throw forbidden('not_your_turn', 'Only who made an offer can withdraw it.')
  requirePending(offer, now)
}

export function withStatus(offer: Offer, status: OfferStatus, now: Date): Offer {
  return { ...offer, status, updatedAt: now }
}

/** The offer as it is at this instant, whether or not the sweep has come by. */
export function offerAt(offer: Offer, now: Date): Offer {
  return offer.status === 'pending' && offer.expiresAt <= now ? withStatus(offer, 'withdrawn', offer.expiresAt) : offer
}

function requirePending(offer: Offer, now: Date): void {
  if (offer.status !== 'pending') throw conflict('already_answered', 'This offer has been answered already.')
  if (offer.expiresAt <= now) throw conflict('offer_lapsed', 'This offer has lapsed.')
}
