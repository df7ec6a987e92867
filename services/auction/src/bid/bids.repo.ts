import type { BidPlacedSchema } from '@marketplace/contracts/gen/marketplace/auction/v1/auction_pb.ts'
import { executeWithCommit } from '@marketplace/kit/db-dialect.ts'
import { cents, type Cents } from '@marketplace/kit/money.ts'
import { insertOfEvents, type OutgoingEvent } from '@marketplace/kit/outbox.ts'
import { sql } from 'kysely'
import type { Auction, Bid } from '../auction/auction.ts'
import type { Db, Trx } from '../db.ts'

export interface NewBid extends Bid {
  number: number
  maskedBidder: string
  placedAt: Date
}

export interface HistoricBid {
  id: string
  amount: Cents
  isWinning: boolean
  placedAt: Date
  bidder: string
}

export interface Bidding {
  /** As the last of the bids leaves it. */
  auction: Auction
  bids: readonly NewBid[]
  events: readonly OutgoingEvent<typeof BidPlacedSchema>[]
}

/** Stores accepted bids, their events and what they make of the auction: one statement for any number, sent with the commit. */
export async function saveBidding(trx: Trx, { auction, bids, events }: Bidding): Promise<void> {
  const { listingId, lead, bidCount, number } = auction
  const rows = bids.map((bid) => ({
    id: bid.id,
    number: bid.number,
    amount: bid.amount,
    bidder_id: bid.bidderId,
    masked_bidder: bid.maskedBidder,
    placed_at: bid.placedAt,
  }))
  const query = sql`
    with led as (
      update auctions set leading_bid_id = ${lead?.id}, leader_id = ${lead?.bidderId}, current_bid = ${lead?.amount},
        bid_count = ${bidCount}, number = ${number}
      where listing_id = ${listingId}
    ), told as (${insertOfEvents(trx, events)})
    insert into bids (id, listing_id, number, amount, bidder_id, masked_bidder, placed_at)
    select id, ${listingId}, number, amount, bidder_id, masked_bidder, placed_at
    from json_to_recordset(${JSON.stringify(rows)}::json) as bid (
      id uuid, number bigint, amount integer, bidder_id uuid, masked_bidder text, placed_at timestamptz
    )`
  await executeWithCommit(trx, query)
}

/** An auction's bids, highest first; undefined when there is no such auction. */
export async function readBids(db: Db, listingId: string): Promise<HistoricBid[] | undefined> {
  // One statement, so that bids and the leading one are of the same instant; the auction's row comes without bids too.
  const rows = await db
    .selectFrom('auctions')
    .leftJoin('bids', 'bids.listing_id', 'auctions.listing_id')
    .select(['bids.id', 'bids.amount', 'bids.placed_at', 'bids.masked_bidder', 'auctions.leading_bid_id'])
    .where('auctions.listing_id', '=', listingId)
    .orderBy(sql`bids.amount desc`)
    .execute()
  if (rows.length === 0) return undefined
  return rows.flatMap(({ id, amount, placed_at: placedAt, masked_bidder: bidder, leading_bid_id: leadingId }) =>
    id === null || amount === null || placedAt === null || bidder === null
      ? []
      : [{ id, amount: cents(amount), isWinning: id === leadingId, placedAt, bidder }],
  )
}
