import { openBuyItNow, type Auction } from '../auction/auction.ts'
import type { Cents } from '@marketplace/kit/money.ts'

export type HoldState = 'held' | 'sold' | 'released'

/** A claim on an auction's item: of whoever won it, or is buying it at once. */
export interface Hold {
  saleId: string
  listingId: string
  buyerId: string
  saleType: 'auction_win' | 'buy_now'
  price: Cents
  /** Of a win only; payments alone ends a checkout. */
  dueAt: Date | null
  state: HoldState
}

export interface HoldAsk {
  saleId: string
  listingId: string
  buyerId: string
  saleType: Hold['saleType'] | 'offer_accepted'
}

export interface KnownHolds {
  /** Of whoever has the listing's item now, paid or not. */
  live: Hold | undefined
  /** The asked sale has ended unpaid. */
  isReleased: boolean
}

export type HoldRefusal =
  | 'missing'
  | 'own_listing'
  | 'not_buyable'
  | 'already_paid'
  | 'reserved'
  | 'auction_ended'
  | 'sale_over'

export type HoldAnswer =
  | { kind: 'held'; auction: Auction; hold: Hold; isNew: boolean }
  | { kind: 'refused'; refusal: HoldRefusal }

/** May this buyer have the item; `now` is the database's, read after the auction was locked. */
export function answerHold(auction: Auction, known: KnownHolds, ask: HoldAsk, now: Date): HoldAnswer {
  if (ask.saleType === 'buy_now') return answerBuyNow(auction, known, ask, now)
  const { live } = known
  // A win is answered to the one who has it; none is made here.
  if (ask.saleType !== 'auction_win' || !isTheirs(live, ask)) return refused('missing')
  return answerTheirs(auction, live)
}

// Bids are of no concern but for the price: one that reaches it bars new checkouts, not the open one.
function answerBuyNow(auction: Auction, { live, isReleased }: KnownHolds, ask: HoldAsk, now: Date): HoldAnswer {
  if (auction.sellerId === ask.buyerId) return refused('own_listing')
  if (isReleased) return refused('sale_over')
  if (isTheirs(live, ask)) return answerTheirs(auction, live)
  if (auction.state !== 'open' || auction.endAt <= now) return refused('auction_ended')
  if (live) return refused('reserved')
  const price = openBuyItNow(auction)
  if (price === null) return refused('not_buyable')
  const { saleId, listingId, buyerId } = ask
  const hold: Hold = { saleId, listingId, buyerId, saleType: 'buy_now', price, dueAt: null, state: 'held' }
  return { kind: 'held', auction, hold, isNew: true }
}

function isTheirs(live: Hold | undefined, { buyerId, saleType }: HoldAsk): live is Hold {
  return live?.buyerId === buyerId && live.saleType === saleType
}

function answerTheirs(auction: Auction, hold: Hold): HoldAnswer {
  return hold.state === 'sold' ? refused('already_paid') : { kind: 'held', auction, hold, isNew: false }
}

function refused(refusal: HoldRefusal): HoldAnswer {
  return { kind: 'refused', refusal }
}
