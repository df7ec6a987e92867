import type { Cents } from '@marketplace/kit/money.ts'
import type { Listing } from '../listing/listing.ts'

/** What an item is sold for, frozen when it is held. */
export interface SaleTerms {
  listingId: string
  sellerId: string
  price: Cents
  shipping: Cents
  title: string
  imageUrl: string
}

/** A sale's claim on an item; a tombstone tells that its sale was over before it came. */
export type Hold =
  | { kind: 'tombstone'; saleId: string }
  | { kind: 'hold'; saleId: string; state: 'held' | 'sold' | 'released'; buyerId: string; terms: SaleTerms }

export type LiveHold = Extract<Hold, { kind: 'hold' }>

export interface HoldAsk {
  saleId: string
  listingId: string
  buyerId: string
  saleType: 'buy_now' | 'auction_win' | 'offer_accepted'
}

export type HoldRefusal = 'missing' | 'own_listing' | 'wrong_kind' | 'inactive' | 'sold' | 'reserved' | 'sale_over'

export type HoldAnswer =
  | { kind: 'held'; saleId: string; terms: SaleTerms }
  | { kind: 'new'; terms: SaleTerms }
  | { kind: 'refused'; refusal: HoldRefusal }

/** What is known of the item while its listing is locked: this sale's hold, and whose the item is now. */
export interface ItemState {
  listing: Listing | undefined
  own: Hold | undefined
  live: LiveHold | undefined
}

/** May this buyer have the item? `new` makes the hold; the same sale gets the same answer again. */
export function answerHold({ listing, own, live }: ItemState, ask: HoldAsk): HoldAnswer {
  if (!listing) return refused('missing')
  if (own) return answerAgain(own, ask)
  if (listing.sellerId === ask.buyerId) return refused('own_listing')
  if (listing.isAuction) return refused('wrong_kind')
  if (live) return answerTaken(live, ask)
  if (!listing.isActive) return refused('inactive')
  // Only buying now makes a hold; the other types are paid on the one that their event made.
  return ask.saleType === 'buy_now' ? { kind: 'new', terms: termsOf(listing) } : refused('missing')
}

function answerAgain(own: Hold, ask: HoldAsk): HoldAnswer {
  if (own.kind === 'tombstone' || own.state === 'released') return refused('sale_over')
  if (own.buyerId !== ask.buyerId || own.terms.listingId !== ask.listingId) return refused('missing')
  return { kind: 'held', saleId: own.saleId, terms: own.terms }
}

// Whoever has the item already goes on with the sale that has it.
function answerTaken(live: LiveHold, { buyerId }: HoldAsk): HoldAnswer {
  if (live.state === 'sold') return refused('sold')
  return live.buyerId === buyerId ? { kind: 'held', saleId: live.saleId, terms: live.terms } : refused('reserved')
}

function termsOf({ id, sellerId, price, shipping, title, imageUrls }: Listing): SaleTerms {
  return { listingId: id, sellerId, price, shipping, title, imageUrl: imageUrls[0] ?? '' }
}

function refused(refusal: HoldRefusal): HoldAnswer {
  return { kind: 'refused', refusal }
}
