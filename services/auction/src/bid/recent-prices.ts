import type { Cents } from '@marketplace/kit/values/money.ts'
import { isPastEnd } from '../auction/auction.ts'
import type { AuctionAt } from './bid-decider.ts'

/**
 * Cache of recent prices, used to reject low bids without a database read. Valid bids are never rejected, because
 * prices only rise.
 */
export interface RecentPrices {
  record(seen: AuctionAt): void
  /** Returns the cached price if the bid is too low, or null if the bid must be evaluated against the database. */
  rejects(bid: { listingId: string; bidderId: string; amount: Cents }): Cents | null
}

interface Entry {
  sellerId: string
  price: Cents
  expiresAtMs: number
}

export interface RecentPricesOptions {
  /**
   * How long a price is cached, in ms. If another process closes the auction early, low bids get `bid_too_low` instead
   * of `auction_ended` for up to this time.
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
      // The entry expires at the auction's end at the latest, because bids after the end must get `auction_ended`
      // instead of `bid_too_low`.
      const expiresAtMs = clock() + Math.min(ttlMs, endAt.getTime() - now.getTime())
      entries.set(listingId, { sellerId, price: leadingBid.amount, expiresAtMs })
      const [oldest] = entries.keys()
      if (entries.size > maxAuctions && oldest !== undefined) entries.delete(oldest)
    },
    rejects({ listingId, bidderId, amount }) {
      const entry = entries.get(listingId)
      // A bid by the seller is never rejected from the cache, because it must get the error `own_listing` instead of
      // `bid_too_low`.
      if (!entry || entry.expiresAtMs <= clock() || entry.sellerId === bidderId) return null
      return amount <= entry.price ? entry.price : null
    },
  }
}
