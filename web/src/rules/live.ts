import type { BidLine, ListingDetail } from '../api/client/types.ts'

/** An update from the live stream. Each update contains the auction's complete state, so a lost update does no harm. */
export type AuctionUpdate = Pick<ListingDetail, 'current_bid' | 'bid_count' | 'auction_end_date' | 'is_active'> & {
  listing_id: string
  /** The newest bids, highest first. Missing or incomplete if the server failed to read them. */
  bids?: BidLine[]
}

/**
 * Merges a fetched listing into the cached listing. If the live stream has delivered a newer bid, the cached auction
 * state is kept.
 */
export function mergeListing(cached: ListingDetail | undefined, incoming: ListingDetail): ListingDetail {
  if (cached?.id !== incoming.id || !incoming.is_auction) return incoming
  const newer = incoming.bid_count >= cached.bid_count ? incoming : cached
  return {
    ...incoming,
    current_bid: newer.current_bid,
    bid_count: newer.bid_count,
    auction_end_date: newer.auction_end_date,
    buy_it_now_price: availablePrice(incoming.buy_it_now_price, newer.current_bid),
    is_active: cached.is_active && incoming.is_active,
  }
}

/** Returns the buy-it-now price, or null if a bid has reached it. */
function availablePrice(buyItNow: number | null, currentBid: number | null): number | null {
  return buyItNow !== null && buyItNow > (currentBid ?? 0) ? buyItNow : null
}

/** Applies an update from the live stream to the cached listing. */
export function applyUpdate(cached: ListingDetail, update: AuctionUpdate): ListingDetail {
  const { current_bid, bid_count, auction_end_date, is_active } = update
  return mergeListing(cached, { ...cached, current_bid, bid_count, auction_end_date, is_active })
}
