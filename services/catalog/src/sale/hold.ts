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

/** What an accepted offer's hold has besides: it must be paid by then. */
export interface HeldOffer {
  id: string
  dueAt: Date
}

export interface ItemHold {
  kind: 'hold'
  saleId: string
  state: 'held' | 'sold' | 'released'
  buyerId: string
  terms: SaleTerms
  offer: HeldOffer | null
}

/** A sale's claim on an item; a tombstone tells that its sale was over before it came. */
export type Hold = ItemHold | { kind: 'tombstone'; saleId: string }

export interface HoldAsk {
  saleId: string
  listingId: string
  buyerId: string
  saleType: 'buy_now' | 'auction_win' | 'offer_accepted'
}

export type HoldRefusal =
  | 'missing'
  | 'own_listing'
  | 'wrong_kind'
  | 'inactive'
  | 'sold'
  | 'already_paid'
  | 'reserved'
  | 'sale_over'

export type HoldAnswer = { kind: 'held'; hold: ItemHold; isNew: boolean } | { kind: 'refused'; refusal: HoldRefusal }

/** What is known of the item while its listing is locked: this sale's hold, and whose the item is now. */
export interface ItemState {
  listing: Listing | undefined
  own: Hold | undefined
  live: ItemHold | undefined
}

/** May this buyer have the item? Only buying now makes a hold; the same sale gets the same answer again. */
export function answerHold({ listing, own, live }: ItemState, ask: HoldAsk): HoldAnswer {
  if (!listing) return refused('missing')
  if (ask.saleType !== 'buy_now') return answerOffered(live, ask)
  if (own) return answerAgain(own, ask)
  if (listing.sellerId === ask.buyerId) return refused('own_listing')
  if (listing.isAuction) return refused('wrong_kind')
  if (live) return answerTaken(live, ask)
  if (!listing.isActive) return refused('inactive')
  return { kind: 'held', hold: holdOf(listing, { ...ask, price: listing.price, offer: null }), isNew: true }
}

/** A new hold of this listing at this price. */
export function holdOf(
  { id, sellerId, shipping, title, imageUrls }: Listing,
  { saleId, buyerId, price, offer }: { saleId: string; buyerId: string; price: Cents; offer: HeldOffer | null },
): ItemHold {
  const terms = { listingId: id, sellerId, price, shipping, title, imageUrl: imageUrls[0] ?? '' }
  return { kind: 'hold', saleId, state: 'held', buyerId, terms, offer }
}

// Made when the offer was accepted; here it is told to the one who has it, and to nobody else.
function answerOffered(live: ItemHold | undefined, { saleType, buyerId }: HoldAsk): HoldAnswer {
  if (saleType !== 'offer_accepted' || !live?.offer || live.buyerId !== buyerId) return refused('missing')
  return live.state === 'sold' ? refused('already_paid') : held(live)
}

function answerAgain(own: Hold, ask: HoldAsk): HoldAnswer {
  if (own.kind === 'tombstone' || own.state === 'released') return refused('sale_over')
  if (own.buyerId !== ask.buyerId || own.terms.listingId !== ask.listingId) return refused('missing')
  return held(own)
}

// Whoever has the item already goes on with the sale that has it.
function answerTaken(live: ItemHold, { buyerId }: HoldAsk): HoldAnswer {
  if (live.state === 'sold') return refused('sold')
  return live.buyerId === buyerId ? held(live) : refused('reserved')
}

function held(hold: ItemHold): HoldAnswer {
  return { kind: 'held', hold, isNew: false }
}

function refused(refusal: HoldRefusal): HoldAnswer {
  return { kind: 'refused', refusal }
}
