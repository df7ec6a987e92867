import { executeWithCommit } from '@marketplace/kit/db/dialect.ts'
import { cents, type Cents } from '@marketplace/kit/values/money.ts'
import { sql, type RawBuilder } from 'kysely'
import type { Auction, Bid } from '../auction/auction.ts'
import type { FirstPurchaseLead } from '../bidder/first-purchase-lead.ts'
import { upsertLeadQuery } from '../bidder/first-purchase-leads.repo.ts'
import type { Db, Trx } from '../db.ts'

export interface NewBid extends Bid {
  number: number
  maskedBidder: string
}

export interface AcceptedBids {
  /** The auction after the last of the bids. */
  auction: Auction
  bids: readonly NewBid[]
}

export interface BidHistoryEntry {
  id: string
  amount: Cents
  isWinning: boolean
  placedAt: Date
  maskedBidder: string
}

/**
 * Stores accepted bids of an auction whose row the caller has locked. `firstLead` is the leading bid if its bidder is a
 * first-time buyer, otherwise null. The statement is sent together with the commit, which saves a round trip.
 */
export async function insertBids(
  trx: Trx,
  { auction, bids }: AcceptedBids,
  { placedAt, firstLead }: { placedAt: Date; firstLead: FirstPurchaseLead | null },
): Promise<void> {
  const { listingId } = auction
  await executeWithCommit(
    trx,
    sql`
      with updated as (update auctions set ${leadingBidAssignments(auction)} where listing_id = ${listingId})
        ${firstLead ? sql`, led as (${upsertLeadQuery(firstLead)})` : sql``}
      insert into bids (id, listing_id, number, amount, bidder_id, masked_bidder, placed_at)
      select id, ${listingId}, number, amount, bidder_id, masked_bidder, ${placedAt}::timestamptz
      from ${bidRows(bids)}`,
  )
}

/**
 * Returns the SET clause of an `update auctions` statement that stores the auction's leading bid, bid count and event
 * sequence number.
 */
export function leadingBidAssignments({ leadingBid, bidCount, number }: Auction): RawBuilder<unknown> {
  return sql`leading_bid_id = ${leadingBid?.id}, leader_id = ${leadingBid?.bidderId},
    current_bid = ${leadingBid?.amount}, bid_count = ${bidCount}, number = ${number}`
}

/**
 * Returns an SQL relation `bid` with one row per new bid. Each column is one array parameter, so the number of
 * parameters does not depend on the number of bids.
 */
export function bidRows(bids: readonly NewBid[]): RawBuilder<unknown> {
  return sql`unnest(
      ${bids.map((bid) => bid.id)}::uuid[], ${bids.map((bid) => bid.number)}::bigint[],
      ${bids.map((bid) => bid.amount)}::integer[], ${bids.map((bid) => bid.bidderId)}::uuid[],
      ${bids.map((bid) => bid.maskedBidder)}::text[]
    ) as bid (id, number, amount, bidder_id, masked_bidder)`
}

/**
 * Returns up to `limit` bids of an auction, highest first; with `below`, only bids under that amount. Returns undefined
 * if the auction does not exist.
 */
export async function readBids(
  db: Db,
  listingId: string,
  { below, limit }: { below: number | null; limit: number },
): Promise<BidHistoryEntry[] | undefined> {
  // Reads the auction and its bids in one statement. If a bid arrived between two statements, the highest bid in the
  // list could differ from the auction's leading bid.
  const rows = await db
    .selectFrom('auctions')
    .leftJoinLateral(
      (from) =>
        from
          .selectFrom('bids')
          .select(['id', 'amount', 'placed_at', 'masked_bidder'])
          .where('listing_id', '=', listingId)
          .$if(below !== null, (bids) => bids.where('amount', '<', below))
          .orderBy('amount', 'desc')
          .limit(limit)
          .as('bid'),
      (join) => join.onTrue(),
    )
    .select(['bid.id', 'bid.amount', 'bid.placed_at', 'bid.masked_bidder', 'auctions.leading_bid_id'])
    .where('auctions.listing_id', '=', listingId)
    .orderBy('bid.amount', 'desc')
    .execute()
  // The left join returns a row even if the auction has no bids, so no rows mean that the auction does not exist.
  if (rows.length === 0) return undefined
  return rows.flatMap(({ id, amount, placed_at: placedAt, masked_bidder: maskedBidder, leading_bid_id: leadingId }) =>
    id === null || amount === null || placedAt === null || maskedBidder === null
      ? []
      : [{ id, amount: cents(amount), isWinning: id === leadingId, placedAt, maskedBidder }],
  )
}
