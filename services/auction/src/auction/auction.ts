import type { Cents } from '@marketplace/kit/values/money.ts'
import { findBoundsRejection, type BidBounds, type Bidder, type BoundsRejection } from './bid-bounds.ts'

export interface Auction {
  listingId: string
  sellerId: string
  title: string
  imageUrl: string
  startingBid: Cents
  shipping: Cents
  buyItNow: Cents | null
  endAt: Date
  /**
   * `settling`: the auction ended while a buy-it-now checkout was open. The auction is closed when the payments service
   * reports whether the buyer paid.
   */
  state: 'open' | 'settling' | 'closed'
  /** The highest bid; null without bids. */
  leadingBid: Bid | null
  bidCount: number
  /** Sequence number of the auction's last event, incremented under the row lock. */
  number: number
}

export interface Bid {
  id: string
  bidderId: string
  amount: Cents
}

export type BidRejection =
  | { reason: 'own_listing' }
  | { reason: 'seller_unavailable' }
  | { reason: 'auction_ended' }
  | { reason: 'bid_too_low' }
  | { reason: 'bidding_suspended'; until: Date }
  | BoundsRejection

/** Facts that decide whether a bid is accepted, besides the auction's state and the amount of the bid. */
export interface BidCircumstances {
  /** The database's time, read after the auction's row was locked. */
  now: Date
  bounds: BidBounds
  bidder: Bidder
  /**
   * True if the client sent `confirm: false`. A bid far above the price is then rejected, so that the bidder can
   * confirm it in a second request.
   */
  isUnconfirmed: boolean
}

/**
 * The result of evaluating a bid. `auction` is the auction's state directly after this bid and before any later bid of
 * the batch.
 */
export type BidOutcome =
  | { kind: 'accepted'; auction: Auction }
  | ({ kind: 'rejected'; auction: Auction } & BidRejection)

export interface Closing {
  auction: Auction
  outcome: 'won' | 'no_sale' | 'buy_now'
  closedAt: Date
  /** Null unless the outcome is `won`. */
  win: Win | null
}

export interface Win {
  saleId: string
  listingId: string
  buyerId: string
  price: Cents
  dueAt: Date
}

/** Terms version of every auction, because the terms of an auction cannot be edited. */
export const auctionTermsVersion = 1

// A calendar year has at most 366 days.
const maxDurationMs = 366 * 24 * 3_600_000

/** Returns the validation message for the end date of a new auction, or null if the date is valid. */
export function validateEndDate(endAt: Date, now: Date): string | null {
  if (endAt <= now) return 'The auction end date must be in the future.'
  if (endAt.getTime() - now.getTime() > maxDurationMs) return 'The auction end date must be within a year.'
  return null
}

/** Returns whether the end date of an auction has passed although the auction is still in state `open`. */
export function isPastEnd(auction: Auction, now: Date): boolean {
  return auction.state === 'open' && auction.endAt <= now
}

/** Accepts or rejects one bid. */
export function evaluateBid(auction: Auction, bid: Bid, circumstances: BidCircumstances): BidOutcome {
  const rejection = findRejection(auction, bid, circumstances)
  if (rejection) return { kind: 'rejected', auction, ...rejection }
  const { id, bidderId, amount } = bid
  const leadingBid = { id, bidderId, amount }
  return {
    kind: 'accepted',
    auction: { ...auction, leadingBid, bidCount: auction.bidCount + 1, number: auction.number + 1 },
  }
}

function findRejection(auction: Auction, bid: Bid, circumstances: BidCircumstances): BidRejection | null {
  const { now, bounds, bidder, isUnconfirmed } = circumstances
  const { startingBid, shipping, leadingBid } = auction
  const currentBid = leadingBid?.amount ?? null
  if (bid.bidderId === auction.sellerId) return { reason: 'own_listing' }
  if (bidder.isBarredBySeller) return { reason: 'seller_unavailable' }
  if (bidder.barredUntil !== null) return { reason: 'bidding_suspended', until: bidder.barredUntil }
  if (auction.state !== 'open' || auction.endAt <= now) return { reason: 'auction_ended' }
  if (bid.amount <= (currentBid ?? startingBid)) return { reason: 'bid_too_low' }
  return findBoundsRejection({ amount: bid.amount, shipping, startingBid, currentBid, isUnconfirmed }, bidder, bounds)
}

export interface EvaluatedBid<Candidate> {
  bid: Candidate
  outcome: BidOutcome
}

/** Evaluates bids in order, each against the auction's state after the previous bid. */
export function evaluateBids<Candidate extends Bid>(
  auction: Auction,
  bids: readonly Candidate[],
  circumstancesOf: (bid: Candidate) => BidCircumstances,
): EvaluatedBid<Candidate>[] {
  let current = auction
  return bids.map((bid) => {
    const outcome = evaluateBid(current, bid, circumstancesOf(bid))
    current = outcome.auction
    return { bid, outcome }
  })
}

/** Changes the state to `settling`, for an auction that ended during a buy-it-now checkout. */
export function toSettling(auction: Auction): Auction {
  return { ...auction, state: 'settling', number: auction.number + 1 }
}

/**
 * Closes an auction. If there is a bid, the leading bidder wins, and the sale gets the given id. Otherwise there is no
 * sale.
 */
export function closeAuction(auction: Auction, sale: { id: string; dueAfterMs: number }, now: Date): Closing {
  const { leadingBid, listingId } = auction
  const closed = close(auction)
  if (leadingBid === null) return { auction: closed, outcome: 'no_sale', closedAt: now, win: null }
  const dueAt = new Date(now.getTime() + sale.dueAfterMs)
  const win = { saleId: sale.id, listingId, buyerId: leadingBid.bidderId, price: leadingBid.amount, dueAt }
  return { auction: closed, outcome: 'won', closedAt: now, win }
}

/** Closes an auction because a buyer paid the buy-it-now price. No bidder wins. */
export function closeByBuyNow(auction: Auction, now: Date): Closing {
  return { auction: close(auction), outcome: 'buy_now', closedAt: now, win: null }
}

/** Returns the buy-it-now price, or null if the seller set none or a bid has reached it. */
export function availableBuyNowPrice({ buyItNow, leadingBid }: Auction): Cents | null {
  return buyItNow !== null && (leadingBid === null || leadingBid.amount < buyItNow) ? buyItNow : null
}

function close(auction: Auction): Auction {
  return { ...auction, state: 'closed', number: auction.number + 1 }
}
