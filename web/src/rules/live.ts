import type { BidLine, ListingDetail } from '../api/client/types.ts'

/** An update from the live stream. It always contains the complete state of the auction. */
export type AuctionUpdate = Pick<ListingDetail, 'current_bid' | 'bid_count' | 'auction_end_date' | 'is_active'> & {
  listing_id: string
  /** The newest bids, highest first. Missing or too few while the server cannot read them. */
  bids?: BidLine[]
}

/**
 * Merges a listing into the cached one. A response may be older than the cache, because a bid arrived by the stream while it was in
 * transit. The bid count never decreases and an ended auction never restarts, so the higher count and the end win. A fixed-price
 * listing may become active again.
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

/** Returns the buy-it-now price while it is offered: bids must be below it. */
function availablePrice(buyItNow: number | null, currentBid: number | null): number | null {
  return buyItNow !== null && buyItNow > (currentBid ?? 0) ? buyItNow : null
}

/** Applies an update. Everything else that changes with a bid follows from it, so a page with a stream needs no requests. */
export function applyUpdate(cached: ListingDetail, update: AuctionUpdate): ListingDetail {
  const { current_bid, bid_count, auction_end_date, is_active } = update
  return mergeListing(cached, { ...cached, current_bid, bid_count, auction_end_date, is_active })
}

export type BidStatus = 'none' | 'leading' | 'outbid'

/** Returns the user's status in an auction; `none` if the user has not bid since the page was loaded. */
export function bidStatusOf(ownBid: number | undefined, currentBid: number | null): BidStatus {
  if (ownBid === undefined || currentBid === null) return 'none'
  return currentBid > ownBid ? 'outbid' : 'leading'
}
