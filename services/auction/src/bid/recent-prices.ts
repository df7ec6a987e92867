import type { Cents } from '@marketplace/kit/values/money.ts'
import { isPastEnd } from '../auction/auction.ts'
import type { AuctionAt } from './bid-decider.ts'

/**
 * Cache of the prices that this process has seen recently. A bid that does not exceed the cached price can be rejected
 * without the database, because prices only rise. A bid is never accepted from the cache.
 */
export interface RecentPrices {
  record(seen: AuctionAt): void
  /**
   * If the bid is certainly too low, returns the price that the bid does not exceed. Otherwise returns null: the
   * database has to decide.
   */
  rejects(bid: { listingId: string; bidderId: string; amount: Cents }): Cents | null
}

interface Entry {
  sellerId: string
  price: Cents
  expiresAtMs: number
}

export interface RecentPricesOptions {
  /**
   * How long a price stays in this cache, in ms. Meanwhile a low bid is rejected from the cache with `bid_too_low`,
   * even if another process has closed the auction early and `auction_ended` would be correct.
   */
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
      // The entry expires at the auction's end at the latest, because later bids must get `auction_ended`, not
      // `bid_too_low`.
      const expiresAtMs = clock() + Math.min(ttlMs, endAt.getTime() - now.getTime())
      entries.set(listingId, { sellerId, price: leadingBid.amount, expiresAtMs })
      const [oldest] = entries.keys()
      if (entries.size > maxAuctions && oldest !== undefined) entries.delete(oldest)
    },
    rejects({ listingId, bidderId, amount }) {
      const entry = entries.get(listingId)
      // A bid of the seller is not rejected from memory: it must get the error `own_listing` instead of `bid_too_low`.
      if (!entry || entry.expiresAtMs <= clock() || entry.sellerId === bidderId) return null
      return amount <= entry.price ? entry.price : null
    },
  }
}
