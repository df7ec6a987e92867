import { feeOf, totalOf } from '@marketplace/contracts/fee.ts'
import type { Cents } from '@marketplace/kit/values/money.ts'

/** What an installation allows a bid to come to. Amounts are in cents. */
export interface BidBounds {
  feeBasisPoints: number
  /** The greatest total that a card can be charged. */
  maxChargeCents: number
  /** What people without a completed purchase may owe in all: leading bids and unpaid wins, with shipping and fee. 0 is no limit. */
  maxExposureCents: number
}

export interface Bidder {
  /** Null unless the bidder is suspended. */
  barredUntil: Date | null
  /** Exposure in cents, without the auction that is bid on. Null for people with a completed purchase, and without a limit. */
  usedCents: number | null
}

export const unrestrictedBidder: Bidder = { barredUntil: null, usedCents: null }

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
  /** Whether the client announced that it asks the bidder about a bid far above the price, and has not asked yet. */
  isUnconfirmed: boolean
}

// A bid is far above the price if it exceeds both bounds.
const farJumpFactor = 10
const farJumpCents = 50_000

/** Returns why an amount is out of bounds; null if it is within them. */
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

/** Returns the highest bid in cents whose total can be charged; 0 if shipping alone is too much. */
export function highestBidOf(shipping: number, { feeBasisPoints, maxChargeCents }: BidBounds): number {
  const highest = Math.floor(((maxChargeCents - shipping) * 10_000) / (10_000 + feeBasisPoints))
  // Rounding the fee moves the bound by a cent at most.
  const isChargeable = (amount: number) => totalOf(amount, shipping, feeBasisPoints) <= maxChargeCents
  const candidates = [highest + 1, highest, highest - 1]
  return Math.max(0, candidates.find(isChargeable) ?? 0)
}
