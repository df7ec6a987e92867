import type { ListingDetail } from '../api/types.ts'

/** An auction as the live stream tells it, whole each time. */
export type AuctionState = Pick<ListingDetail, 'current_bid' | 'bid_count' | 'auction_end_date' | 'is_active'> & {
  listing_id: string
}

/**
 * A later answer may be an older truth: it was on its way while a bid arrived by the stream. Bids only grow in number and an
 * ended auction stays ended, so the higher count and the end win. A fixed price may come back for sale.
 */
export function newestOf(known: ListingDetail | undefined, incoming: ListingDetail): ListingDetail {
  if (known?.id !== incoming.id || !incoming.is_auction) return incoming
  const newer = incoming.bid_count >= known.bid_count ? incoming : known
  return {
    ...incoming,
    current_bid: newer.current_bid,
    bid_count: newer.bid_count,
    auction_end_date: newer.auction_end_date,
    is_active: known.is_active && incoming.is_active,
  }
}

export function withAuctionState(known: ListingDetail, state: AuctionState): ListingDetail {
  const { current_bid, bid_count, auction_end_date, is_active } = state
  return newestOf(known, { ...known, current_bid, bid_count, auction_end_date, is_active })
}

export type Standing = 'none' | 'leading' | 'outbid'

/** How one's own bid stands, as far as this page knows of one. */
export function standingOf(ownBid: number | undefined, currentBid: number | null): Standing {
  if (ownBid === undefined || currentBid === null) return 'none'
  return currentBid > ownBid ? 'outbid' : 'leading'
}
