import { maxPageBytes } from '@marketplace/kit/http/paging.ts'
import type { Cents } from '@marketplace/kit/values/money.ts'
import { sql } from 'kysely'
import type { Db, Trx } from '../db.ts'
import { centsOrNull, toListing, toRow, type JoinedListingRow } from './listing-row.ts'
import type { Listing } from './listing.ts'

/** A listing and the stored state of its auction, read in one statement. */
export interface ListingSnapshot {
  listing: Listing
  currentBid: Cents | null
  bidCount: number
  /** True once the event AuctionClosed was applied. From then on, the bids are final. */
  isClosed: boolean
  /** The database's time of this read. */
  readAt: Date
}

type SnapshotRow = JoinedListingRow & {
  current_bid_cents: number | null
  bid_count: number | null
  closed_at: Date | null
  read_at: Date
}

export async function insertListing(trx: Trx, listing: Listing): Promise<void> {
  await trx.insertInto('listings').values(toRow(listing)).execute()
}

export async function lockListing(trx: Trx, id: string): Promise<Listing | undefined> {
  const [listing] = await lockListings(trx, [id])
  return listing
}

/** Locks these listings in the order of their ids, so that concurrent transactions cannot deadlock. */
export async function lockListings(trx: Trx, ids: readonly string[]): Promise<Listing[]> {
  // Locks the rows before the join. If a row's category changes while a locking join waits for the row, Postgres compares
  // the row with the previous category and omits it from the result.
  const locked = trx.with('listings', (query) =>
    query
      .selectFrom('listings')
      .selectAll()
      .where(sql<boolean>`id = any(${ids}::uuid[])`)
      .orderBy('id')
      .forUpdate(),
  )
  return (await withCategoryAndViews(locked).orderBy('listings.id').execute()).map(toListing)
}

/** Saves listings after a status change. Updates only the columns that depend on the status. */
export async function saveStatuses(trx: Trx, listings: readonly Listing[]): Promise<void> {
  await sql`
    update listings set is_active = given.is_active, status = given.status, reserved_until = given.reserved_until,
      ended_at = given.ended_at, end_reason = given.end_reason, updated_at = given.updated_at, version = given.version
    from unnest(
      ${listings.map(({ id }) => id)}::uuid[], ${listings.map(({ isActive }) => isActive)}::boolean[],
      ${listings.map(({ status }) => status)}::text[], ${listings.map(({ reservedUntil }) => reservedUntil)}::timestamptz[],
      ${listings.map(({ endedAt }) => endedAt)}::timestamptz[], ${listings.map(({ endReason }) => endReason)}::text[],
      ${listings.map(({ updatedAt }) => updatedAt)}::timestamptz[], ${listings.map(({ version }) => version)}::bigint[]
    ) as given (id, is_active, status, reserved_until, ended_at, end_reason, updated_at, version)
    where listings.id = given.id`.execute(trx)
}

/** Counts the reserved listings. */
export async function countReserved(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) from listings where status = 'reserved'`.execute(db)
  return rows[0]?.count ?? 0
}

/** Updates all columns of a listing. */
export async function saveListing(trx: Trx, listing: Listing): Promise<void> {
  const { id, ...columns } = toRow(listing)
  await trx.updateTable('listings').set(columns).where('id', '=', id).execute()
}

export async function findListing(db: Db, id: string): Promise<ListingSnapshot | undefined> {
  const row = await withAuction(db).where('listings.id', '=', id).executeTakeFirst()
  return row && toSnapshot(row)
}

// A response contains each image URL three times (in `image_urls`, `image_urls_parsed` and `pictures`), so a page ends
// when its stored URLs exceed a third of the maximum page size. Pages of cards end there too: their responses are
// smaller, but the same rows are read for them.
const maxUrlBytes = Math.floor(maxPageBytes / 3)

/**
 * Reads the listings with these ids, in the given order. Stops after the listing that brings the total size of the
 * image URLs above `maxUrlBytes`.
 */
export async function findListed(db: Db, ids: readonly string[]): Promise<ListingSnapshot[]> {
  const { rows } = await sql<{ id: string }>`
    select id from (
      select id, n, octet_length(image_urls) as bytes, sum(octet_length(image_urls)) over (order by n) as total
      from unnest(${ids}::uuid[]) with ordinality as given (id, n) join listings using (id)
    ) as listed where total - bytes <= ${maxUrlBytes} order by n`.execute(db)
  const first = rows.map(({ id }) => id)
  if (first.length === 0) return []
  const snapshots = (await withAuction(db).where('listings.id', 'in', first).execute()).map(toSnapshot)
  const byId = new Map(snapshots.map((snapshot) => [snapshot.listing.id, snapshot]))
  return first.flatMap((id) => byId.get(id) ?? [])
}

export async function findSellerId(db: Db | Trx, id: string): Promise<string | undefined> {
  const row = await db.selectFrom('listings').select('seller_id').where('id', '=', id).executeTakeFirst()
  return row?.seller_id
}

export async function findListingsById(db: Db, ids: readonly string[]): Promise<Listing[]> {
  if (ids.length === 0) return []
  return (await withCategoryAndViews(db).where('listings.id', 'in', ids).execute()).map(toListing)
}

/** Returns a page of all listings, ordered by id, starting after `afterId`. */
export async function findListingsAfter(db: Db, afterId: string | null, limit: number): Promise<Listing[]> {
  const page = withCategoryAndViews(db).orderBy('listings.id').limit(limit)
  return (await (afterId === null ? page : page.where('listings.id', '>', afterId)).execute()).map(toListing)
}

export function withCategoryAndViews(db: Pick<Db, 'selectFrom'>) {
  return db
    .selectFrom('listings')
    .innerJoin('categories', 'categories.id', 'listings.category_id')
    .leftJoin('listing_view_counts', 'listing_view_counts.listing_id', 'listings.id')
    .selectAll('listings')
    .select(['categories.name as category_name', 'categories.slug as category_slug', 'listing_view_counts.view_count'])
}

function withAuction(db: Db) {
  return withCategoryAndViews(db)
    .leftJoin('auction_states', 'auction_states.listing_id', 'listings.id')
    .select(['auction_states.current_bid_cents', 'auction_states.bid_count', 'auction_states.closed_at'])
    .select(sql<Date>`clock_timestamp()`.as('read_at'))
}

function toSnapshot(row: SnapshotRow): ListingSnapshot {
  return {
    listing: toListing(row),
    currentBid: centsOrNull(row.current_bid_cents),
    bidCount: row.bid_count ?? 0,
    isClosed: row.closed_at !== null,
    readAt: row.read_at,
  }
}
