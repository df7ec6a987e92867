import type { BidPlacedSchema } from '@marketplace/contracts/gen/marketplace/auction/v1/auction_pb.ts'
import { executeWithCommit } from '@marketplace/kit/db-dialect.ts'
import { insertOfAnswers, type NewAnswer } from '@marketplace/kit/idempotency-answers.ts'
import { cents, type Cents } from '@marketplace/kit/money.ts'
import { insertOfEvents, noteCommit, type OutgoingEvent } from '@marketplace/kit/outbox.ts'
import { sql, type RawBuilder } from 'kysely'
import type { Auction, Bid } from '../auction/auction.ts'
import type { Db, Trx } from '../db.ts'
import { placedFields } from './bid-answers.ts'

export interface NewBid extends Bid {
  number: number
  maskedBidder: string
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
  /** They get the time when they are stored. */
  events: readonly OutgoingEvent<typeof BidPlacedSchema>[]
}

/** Stores accepted bids on an auction that is locked: one statement for any number, sent with the commit. */
export async function saveBidding(trx: Trx, bidding: Bidding, now: Date): Promise<void> {
  await executeWithCommit(
    trx,
    insertOfBidding(trx, { bidding, keyed: [], held: sql`select ${now}::timestamptz as now` }),
  )
}

/**
 * Stores accepted bids if the auction still is as `before` and open, in one statement that is a transaction of its own.
 * Keyed answers are stored with them, those of accepted bids without their time. Answers the database's clock after the lock;
 * null where the auction is not so, and nothing was stored. Fails where a key is known (`isKnownKey`).
 */
export async function saveExpectedBidding(
  db: Db,
  { before, bidding, keyed }: { before: Auction; bidding: Bidding; keyed: readonly NewAnswer[] },
): Promise<Date | null> {
  const { listingId, number, lead } = before
  const held = sql`select now from lock_expected_auction(${listingId}, ${number}, ${lead?.id ?? null}) as now`
  const { rows } = await insertOfBidding(db, { bidding, keyed, held }).execute(db)
  const [row] = rows
  if (!row) return null
  noteCommit(db, db)
  return row.now
}

interface Insert {
  bidding: Bidding
  keyed: readonly NewAnswer[]
  /** One row with the time `now`, or none: then nothing is stored. */
  held: RawBuilder<unknown>
}

function insertOfBidding(executor: Db | Trx, { bidding: { auction, bids, events }, keyed, held }: Insert) {
  const { listingId, lead, bidCount, number } = auction
  const placed = { relation: 'held', fields: ['placedAt'] }
  const answered = { relation: 'held', fields: placedFields }
  return sql<{ now: Date }>`
    with clock as (select date_trunc('milliseconds', now) as now from (${held}) as given),
    held as materialized (
      select now, to_char(now at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as told from clock
    ), led as (
      update auctions set leading_bid_id = ${lead?.id}, leader_id = ${lead?.bidderId}, current_bid = ${lead?.amount},
        bid_count = ${bidCount}, number = ${number}
      from held where listing_id = ${listingId}
    ), published as (${insertOfEvents(executor, events, placed)}
    ), ${keyed.length > 0 ? sql`answered as (${insertOfAnswers(keyed, answered)}),` : sql``} placed as (
      insert into bids (id, listing_id, number, amount, bidder_id, masked_bidder, placed_at)
      select id, ${listingId}, number, amount, bidder_id, masked_bidder, now
      from held cross join unnest(
        ${bids.map((bid) => bid.id)}::uuid[], ${bids.map((bid) => bid.number)}::bigint[],
        ${bids.map((bid) => bid.amount)}::integer[], ${bids.map((bid) => bid.bidderId)}::uuid[],
        ${bids.map((bid) => bid.maskedBidder)}::text[]
      ) as bid (id, number, amount, bidder_id, masked_bidder)
    )
    select now from held`
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
