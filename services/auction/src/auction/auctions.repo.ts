import { sql } from 'kysely'
import type { AuctionRow, Db, Trx } from '../db.ts'
import type { Auction, Closing } from './auction.ts'
import { isAuctionRow, toAuction, type Nullable } from './auction-row.ts'

// Maximum number of auctions that the closing sweep closes in one run. As long as there are auctions to close, the next
// run starts at once.
const closingBatchSize = 500

export interface AuctionWithStatus extends Auction {
  /** Whether the auction accepts bids: its state is `open`, and its end has not passed by the database's clock. */
  isOpen: boolean
}

export interface NewAuction extends Pick<
  Auction,
  'listingId' | 'sellerId' | 'title' | 'imageUrl' | 'startingBid' | 'shipping' | 'buyItNow' | 'endAt'
> {}

/** Stores a new auction. Does nothing if the listing already has one. */
export async function insertAuction(db: Db, auction: NewAuction): Promise<void> {
  await db
    .insertInto('auctions')
    .values({
      listing_id: auction.listingId,
      seller_id: auction.sellerId,
      title: auction.title,
      image_url: auction.imageUrl,
      starting_bid: auction.startingBid,
      shipping: auction.shipping,
      buy_it_now: auction.buyItNow,
      end_at: auction.endAt,
    })
    .onConflict((conflict) => conflict.column('listing_id').doNothing())
    .execute()
}

export async function findAuctions(db: Db, listingIds: readonly string[]): Promise<AuctionWithStatus[]> {
  const rows = await db
    .selectFrom('auctions')
    .selectAll()
    .select(sql<boolean>`state = 'open' and end_at > clock_timestamp()`.as('is_open'))
    .where('listing_id', '=', sql<string>`any(${[...listingIds]}::uuid[])`)
    .execute()
  return rows.map((row) => ({ ...toAuction(row), isOpen: row.is_open }))
}

export interface LockedAuction {
  /** Undefined if the listing has no auction. */
  auction: Auction | undefined
  /** The database's time, read after the auction's row was locked. */
  now: Date
}

export async function lockAuction(trx: Trx, listingId: string): Promise<LockedAuction> {
  const { rows } = await sql<Nullable<AuctionRow> & { now: Date }>`
    select (auction).*, now from lock_auction(${listingId})`.execute(trx)
  const [row] = rows
  if (!row) throw new Error('lock_auction returned no row.')
  const { now, ...auction } = row
  return { auction: isAuctionRow(auction) ? toAuction(auction) : undefined, now }
}

/** Locks the auctions of these listings, ordered by id, so that concurrent transactions cannot deadlock. */
export async function lockAuctions(trx: Trx, listingIds: readonly string[]): Promise<Auction[]> {
  const rows = await trx
    .selectFrom('auctions')
    .selectAll()
    .where('listing_id', '=', sql<string>`any(${[...listingIds]}::uuid[])`)
    .orderBy('listing_id')
    .forUpdate()
    .execute()
  return rows.map(toAuction)
}

/** Locks a batch of auctions whose end has passed. Skips rows that another transaction, such as a bid, has locked. */
export async function lockDueAuctions(trx: Trx): Promise<Auction[]> {
  const rows = await trx
    .selectFrom('auctions')
    .selectAll()
    .where('state', '=', 'open')
    // Postgres could not use the index `auctions_due` with `clock_timestamp()`, which is volatile.
    .where('end_at', '<=', sql<Date>`statement_timestamp()`)
    .orderBy('end_at')
    .limit(closingBatchSize)
    .forUpdate()
    .skipLocked()
    .execute()
  return rows.map(toAuction)
}

/**
 * Locks the open auction with the earliest end, if that end passed at least `overdueMs` ago. Waits for the row lock,
 * unlike `lockDueAuctions`, because bids can keep a row locked almost constantly.
 */
export async function lockOverdueAuction(trx: Trx, overdueMs: number): Promise<Auction | undefined> {
  const row = await trx
    .selectFrom('auctions')
    .selectAll()
    .where('state', '=', 'open')
    .where('end_at', '<=', sql<Date>`statement_timestamp() - ${overdueMs} * interval '1 millisecond'`)
    .orderBy('end_at')
    .limit(1)
    .forUpdate()
    .executeTakeFirst()
  return row && toAuction(row)
}

/**
 * Marks auctions as closed. Also deletes their rows in `first_purchase_leads`, which contains only leading bids on
 * auctions that are not closed.
 */
export async function saveClosings(trx: Trx, closings: readonly Closing[]): Promise<void> {
  const rows = closings.map(({ auction, outcome, closedAt }) => ({
    listing_id: auction.listingId,
    number: auction.number,
    outcome,
    closed_at: closedAt,
  }))
  await sql`
    with led as (
      delete from first_purchase_leads where listing_id = any(${rows.map((row) => row.listing_id)}::uuid[])
    )
    update auctions set state = 'closed', outcome = closing.outcome, closed_at = closing.closed_at, number = closing.number
    from json_to_recordset(${JSON.stringify(rows)}::json)
      as closing (listing_id uuid, number bigint, outcome text, closed_at timestamptz)
    where auctions.listing_id = closing.listing_id and auctions.state <> 'closed'`.execute(trx)
}

/** Marks auctions as `settling` with one statement. */
export async function saveSettling(trx: Trx, auctions: readonly Auction[]): Promise<void> {
  const rows = auctions.map(({ listingId, number }) => ({ listing_id: listingId, number }))
  await sql`
    update auctions set state = 'settling', number = ended.number
    from json_to_recordset(${JSON.stringify(rows)}::json) as ended (listing_id uuid, number bigint)
    where auctions.listing_id = ended.listing_id and auctions.state = 'open'`.execute(trx)
}

/** Counts auctions that are still open 5 s after their end. */
export async function countOverdue(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from auctions where state = 'open' and end_at < statement_timestamp() - interval '5 seconds'`.execute(
    db,
  )
  return rows[0]?.count ?? 0
}
