import type { Cents } from '@marketplace/kit/values/money.ts'
import { isPastEnd } from '../auction/auction.ts'
import type { AuctionAt } from './bid-decider.ts'

/** Prices that this process has seen recently. They suffice to reject a bid, never to accept one. */
export interface RecentPrices {
  record(seen: AuctionAt): void
  /** Returns the price that the bid does not exceed, or null if the database has to decide. */
  rejects(bid: { listingId: string; bidderId: string; amount: Cents }): Cents | null
}

interface Entry {
  sellerId: string
  price: Cents
  expiresAtMs: number
}

export interface RecentPricesOptions {
  /** How long a price is kept, in ms. While it is, a bid on an auction that another process closed gets `bid_too_low`, not `auction_ended`. */
  ttlMs: number
  maxAuctions: number
  /** A monotonic clock in milliseconds. */
  clock: () => number
}

export function createRecentPrices({ ttlMs, maxAuctions, clock }: RecentPricesOptions): RecentPrices {
  const entries = new Map<string, Entry>()
  return {
    record({ auction, now }) {
      const { listingId, sellerId, leadingBid, endAt } = auction
      entries.delete(listingId)
      if (leadingBid === null || auction.state !== 'open' || isPastEnd(auction, now)) return
      // The entry expires at the auction's end: from then on a bid is late, not too low.
      const expiresAtMs = clock() + Math.min(ttlMs, endAt.getTime() - now.getTime())
      entries.set(listingId, { sellerId, price: leadingBid.amount, expiresAtMs })
      const [oldest] = entries.keys()
      if (entries.size > maxAuctions && oldest !== undefined) entries.delete(oldest)
    },
    rejects({ listingId, bidderId, amount }) {
      const entry = entries.get(listingId)
      // The seller's bid is left to the database, which rejects it as `own_listing`.
      if (!entry || entry.expiresAtMs <= clock() || entry.sellerId === bidderId) return null
      return amount <= entry.price ? entry.price : null
    },
  }
}
