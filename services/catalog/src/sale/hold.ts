import type { Cents } from '@marketplace/kit/values/money.ts'
import type { Listing } from '../listing/listing.ts'

/** The terms of a sale, copied from the listing when the item is held. */
export interface SaleTerms {
  listingId: string
  sellerId: string
  price: Cents
  shipping: Cents
  title: string
  imageUrl: string
  /** The version of the listing's terms that the buyer agreed to. */
  termsVersion: number
}

/** The accepted offer for which a hold was created. `dueAt` is the payment deadline. */
export interface AcceptedOffer {
  id: string
  dueAt: Date
}

export interface ItemHold {
  kind: 'hold'
  saleId: string
  state: 'held' | 'sold' | 'released'
  buyerId: string
  terms: SaleTerms
  offer: AcceptedOffer | null
}

/** A sale's reservation of an item, or the tombstone of a released sale, which can no longer reserve an item. */
export type Hold = ItemHold | { kind: 'tombstone'; saleId: string }

export interface HoldRequest {
  saleId: string
  listingId: string
  buyerId: string
  saleType: 'buy_now' | 'auction_win' | 'offer_accepted'
  /** The terms version that the buyer saw; null if it is unknown. */
  listingVersion: number | null
}

export type HoldRejection =
  | 'missing'
  | 'own_listing'
  | 'seller_unavailable'
  | 'wrong_kind'
  | 'inactive'
  | 'sold'
  | 'already_paid'
  | 'reserved'
  | 'sale_over'
  | 'listing_changed'

export type HoldResult = { kind: 'held'; hold: ItemHold; isNew: boolean } | { kind: 'rejected'; reason: HoldRejection }

/** State of an item, read while its listing is locked. */
export interface ItemState {
  listing: Listing | undefined
  /** The hold of the sale that requests the item. */
  own: Hold | undefined
  /** The listing's hold in state `held` or `sold`, for this or another sale; undefined if the item is free. */
  live: ItemHold | undefined
  /** Whether the seller has blocked the buyer. */
  isBarred: boolean
}

/**
 * Decides whether the buyer gets the item. Only a `buy_now` request can create a hold; an `offer_accepted` request
 * needs an existing hold.
 */
export function evaluateHold({ listing, own, live, isBarred }: ItemState, request: HoldRequest): HoldResult {
  if (!listing) return rejected('missing')
  if (request.saleType !== 'buy_now') return evaluateAcceptedOffer(live, request)
  if (own) return evaluateRepeatedRequest(own, request)
  if (listing.sellerId === request.buyerId) return rejected('own_listing')
  if (isBarred && !isHeldBy(live, request)) return rejected('seller_unavailable')
  if (listing.isAuction) return rejected('wrong_kind')
  if (live) return evaluateHeldItem(live, request)
  if (!listing.isActive) return rejected('inactive')
  if (request.listingVersion !== null && request.listingVersion !== listing.termsVersion)
    return rejected('listing_changed')
  return { kind: 'held', hold: createHold(listing, { ...request, price: listing.price, offer: null }), isNew: true }
}

export function createHold(
  { id, sellerId, shipping, title, imageUrls, termsVersion }: Listing,
  { saleId, buyerId, price, offer }: { saleId: string; buyerId: string; price: Cents; offer: AcceptedOffer | null },
): ItemHold {
  const terms = { listingId: id, sellerId, price, shipping, title, imageUrl: imageUrls[0] ?? '', termsVersion }
  return { kind: 'hold', saleId, state: 'held', buyerId, terms, offer }
}

// Returns the hold that was created when the offer was accepted, but only to the buyer of the offer.
function evaluateAcceptedOffer(live: ItemHold | undefined, { saleType, buyerId }: HoldRequest): HoldResult {
  if (saleType !== 'offer_accepted' || !live?.offer || live.buyerId !== buyerId) return rejected('missing')
  return live.state === 'sold' ? rejected('already_paid') : existing(live)
}

function evaluateRepeatedRequest(own: Hold, request: HoldRequest): HoldResult {
  if (own.kind === 'tombstone' || own.state === 'released') return rejected('sale_over')
  if (own.buyerId !== request.buyerId || own.terms.listingId !== request.listingId) return rejected('missing')
  return existing(own)
}

// A buyer who already holds the item continues with the existing sale.
function evaluateHeldItem(live: ItemHold, { buyerId }: HoldRequest): HoldResult {
  if (live.state === 'sold') return rejected('sold')
  return live.buyerId === buyerId ? existing(live) : rejected('reserved')
}

function isHeldBy(live: ItemHold | undefined, { buyerId }: HoldRequest): boolean {
  return live?.state === 'held' && live.buyerId === buyerId
}

function existing(hold: ItemHold): HoldResult {
  return { kind: 'held', hold, isNew: false }
}

function rejected(reason: HoldRejection): HoldResult {
  return { kind: 'rejected', reason }
}
