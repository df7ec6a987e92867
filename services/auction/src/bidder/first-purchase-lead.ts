import { totalOf } from '@marketplace/contracts/fee.ts'
import type { Auction } from '../auction/auction.ts'
import type { BidBounds, Bidder } from '../auction/bid-bounds.ts'

/** What a first-time buyer would owe for the auction that the buyer leads, in cents. */
export interface FirstPurchaseLead {
  listingId: string
  userId: string
  totalCents: number
}

/** Returns the leading bid of this state of an auction, whoever leads; null without a bid or without an exposure limit. */
export function leadOf({ listingId, shipping, leadingBid }: Auction, bounds: BidBounds): FirstPurchaseLead | null {
  if (leadingBid === null || bounds.maxExposureCents === 0) return null
  const { bidderId: userId, amount } = leadingBid
  return { listingId, userId, totalCents: totalOf(amount, shipping, bounds.feeBasisPoints) }
}

/** Returns the leading bid if it is a first-time buyer's, who has an exposure among these bidders. */
export function firstPurchaseLeadOf(
  auction: Auction,
  bidders: ReadonlyMap<string, Bidder>,
  bounds: BidBounds,
): FirstPurchaseLead | null {
  const firstLead = leadOf(auction, bounds)
  return firstLead && (bidders.get(firstLead.userId)?.usedCents ?? null) !== null ? firstLead : null
}
