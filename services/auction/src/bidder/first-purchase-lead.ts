import { totalOf } from '@marketplace/contracts/fee.ts'
import type { Auction } from '../auction/auction.ts'
import type { BidBounds, Bidder } from '../auction/bid-bounds.ts'

/**
 * An auction's leading bid, as stored in `first_purchase_leads` if the bidder is a first-time buyer (a person without a
 * completed purchase). `totalCents` is the bid plus shipping and fee.
 */
export interface FirstPurchaseLead {
  listingId: string
  userId: string
  totalCents: number
}

/**
 * Returns the leading bid without checking whether its bidder is a first-time buyer. Returns null if there is no bid or
 * the limit for first-time buyers is disabled.
 */
export function leadOf({ listingId, shipping, leadingBid }: Auction, bounds: BidBounds): FirstPurchaseLead | null {
  if (leadingBid === null || bounds.maxExposureCents === 0) return null
  const { bidderId: userId, amount } = leadingBid
  return { listingId, userId, totalCents: totalOf(amount, shipping, bounds.feeBasisPoints) }
}

/** Returns the leading bid if its bidder is a first-time buyer, otherwise null. */
export function firstPurchaseLeadOf(
  auction: Auction,
  bidders: ReadonlyMap<string, Bidder>,
  bounds: BidBounds,
): FirstPurchaseLead | null {
  const firstLead = leadOf(auction, bounds)
  return firstLead && (bidders.get(firstLead.userId)?.usedCents ?? null) !== null ? firstLead : null
}
