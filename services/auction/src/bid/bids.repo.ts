import { cents, type Cents } from '@marketplace/kit/money.ts'
import { sql } from 'kysely'
import type { Bid } from '../auction/auction.ts'
import type { Db, Trx } from '../db.ts'

export interface NewBid extends Bid {
  listingId: string
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

export async function insertBid(trx: Trx, bid: NewBid): Promise<void> {
  await trx
    .insertInto('bids')
    .values({
      id: bid.id,
      listing_id: bid.listingId,
      number: bid.number,
      amount: bid.amount,
      bidder_id: bid.bidderId,
      masked_bidder: bid.maskedBidder,
      placed_at: bid.placedAt,
    })
    .execute()
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
