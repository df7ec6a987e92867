import { feeOf, totalOf } from '@marketplace/contracts/fee.ts'
import type { Cents } from '@marketplace/kit/values/money.ts'

/** Limits on bids, from the service's settings. Amounts are in cents. */
export interface BidBounds {
  feeBasisPoints: number
  /** The highest amount that a card can be charged. */
  maxChargeCents: number
  /**
   * Limit for a person without a completed purchase: the maximum sum of the person's leading bids and unpaid wins, with
   * shipping and fee. 0 disables the limit.
   */
  maxExposureCents: number
}

export interface Bidder {
  /** End of the bidder's suspension; null if the bidder is not suspended. */
  barredUntil: Date | null
  /** Whether the seller of the auction has blocked the bidder. */
  isBarredBySeller: boolean
  /**
   * Sum of the bidder's leading bids and unpaid wins in other auctions, in cents. Null if the limit is disabled or the
   * bidder has completed a purchase.
   */
  usedCents: number | null
}

export const unrestrictedBidder: Bidder = { barredUntil: null, isBarredBySeller: false, usedCents: null }

export type BoundsRejection =
  | { reason: 'not_chargeable'; highestBid: number }
  | {
      reason: 'confirmation_needed'
      amount: number
      currentBid: number | null
      shipping: number
      fee: number
      total: number
    }
  | { reason: 'exposure_limit'; limit: number; used: number }

export interface BoundedBid {
  amount: Cents
  shipping: Cents
  startingBid: Cents
  /** Null before the first bid. */
  currentBid: Cents | null
  /**
   * True if the client sent `confirm: false`. A bid far above the price is then rejected with `confirmation_needed`.
   */
  isUnconfirmed: boolean
}

// A bid is far above the price if it is more than 10 times the price and also more than $500 above the price.
const farJumpFactor = 10
const farJumpCents = 50_000

/** Returns why the bid is rejected, or null if it is within all limits. */
export function findBoundsRejection(bid: BoundedBid, bidder: Bidder, bounds: BidBounds): BoundsRejection | null {
  const { amount, shipping, currentBid, isUnconfirmed } = bid
  const { feeBasisPoints, maxChargeCents, maxExposureCents } = bounds
  const total = totalOf(amount, shipping, feeBasisPoints)
  if (total > maxChargeCents) return { reason: 'not_chargeable', highestBid: highestBidOf(shipping, bounds) }
  if (isUnconfirmed && isFarJump(bid)) {
    return { reason: 'confirmation_needed', amount, currentBid, shipping, fee: feeOf(amount, feeBasisPoints), total }
  }
  const { usedCents: used } = bidder
  if (maxExposureCents > 0 && used !== null && used + total > maxExposureCents)
    return { reason: 'exposure_limit', limit: maxExposureCents, used }
  return null
}

function isFarJump({ amount, startingBid, currentBid }: BoundedBid): boolean {
  const price = currentBid ?? startingBid
  return amount > farJumpFactor * price && amount - price > farJumpCents
}

/**
 * Returns the highest bid, in cents, whose total with shipping and fee is at most `maxChargeCents`, or 0 if there is
 * none.
 */
export function highestBidOf(shipping: number, { feeBasisPoints, maxChargeCents }: BidBounds): number {
  const highest = Math.floor(((maxChargeCents - shipping) * 10_000) / (10_000 + feeBasisPoints))
  // `highest` is computed without rounding the fee, so the highest chargeable bid can be one cent higher or lower.
  const isChargeable = (amount: number) => totalOf(amount, shipping, feeBasisPoints) <= maxChargeCents
  const candidates = [highest + 1, highest, highest - 1]
  return Math.max(0, candidates.find(isChargeable) ?? 0)
}
