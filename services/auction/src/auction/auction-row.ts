import { cents } from '@marketplace/kit/values/money.ts'
import type { AuctionRow } from '../db.ts'
import type { Auction } from './auction.ts'

export type Nullable<Row> = { [Column in keyof Row]: Row[Column] | null }

export function isAuctionRow(row: Nullable<AuctionRow>): row is AuctionRow {
  return row.listing_id !== null
}

export function toAuction(row: AuctionRow): Auction {
  const { leading_bid_id: id, leader_id: bidderId, current_bid: amount } = row
  const hasLeadingBid = id !== null && bidderId !== null && amount !== null
  return {
    listingId: row.listing_id,
    sellerId: row.seller_id,
    title: row.title,
    imageUrl: row.image_url,
    startingBid: cents(row.starting_bid),
    shipping: cents(row.shipping),
    buyItNow: row.buy_it_now === null ? null : cents(row.buy_it_now),
    endAt: row.end_at,
    state: row.state,
    leadingBid: hasLeadingBid ? { id, bidderId, amount: cents(amount) } : null,
    bidCount: row.bid_count,
    number: row.number,
  }
}
