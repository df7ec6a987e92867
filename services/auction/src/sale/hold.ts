import type { Auction, Win } from '../auction/auction.ts'

export type HoldState = 'held' | 'sold' | 'released'

/** A winner's claim on an ended auction's item. */
export interface Hold extends Win {
  state: HoldState
}

export type HoldRefusal = 'missing' | 'own_listing' | 'not_buyable' | 'already_paid'

export interface HoldAsk {
  buyerId: string
  saleType: 'buy_now' | 'auction_win' | 'offer_accepted'
}

export type HoldAnswer = { kind: 'held'; auction: Auction; hold: Hold } | { kind: 'refused'; refusal: HoldRefusal }

/** Answers the win to the one who has it, and creates nothing; `hold` is the listing's live one. */
export function answerHold(auction: Auction | undefined, hold: Hold | undefined, ask: HoldAsk): HoldAnswer {
  if (!auction) return { kind: 'refused', refusal: 'missing' }
  if (ask.saleType === 'buy_now') return { kind: 'refused', refusal: refuseBuyNow(auction, ask.buyerId) }
  if (ask.saleType !== 'auction_win' || hold?.buyerId !== ask.buyerId) return { kind: 'refused', refusal: 'missing' }
  if (hold.state === 'sold') return { kind: 'refused', refusal: 'already_paid' }
  return { kind: 'held', auction, hold }
}

function refuseBuyNow(auction: Auction, buyerId: string): HoldRefusal {
  return auction.sellerId === buyerId ? 'own_listing' : 'not_buyable'
}
