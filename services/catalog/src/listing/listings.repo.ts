import type { Cents } from '@marketplace/kit/money.ts'
import { sql } from 'kysely'
import type { Db, Trx } from '../db.ts'
import { centsOrNull, toListing, toRow, type ListingWithCategory } from './listing-row.ts'
import type { Listing } from './listing.ts'

/** A listing with what is known of its auction, read at one instant of the database's clock. */
export interface ListingReading {
  listing: Listing
  currentBid: Cents | null
  bidCount: number
  /** The auction's end was told: its bids are final. */
  isClosed: boolean
  readAt: Date
}

export async function insertListing(trx: Trx, listing: Listing): Promise<void> {
  await trx.insertInto('listings').values(toRow(listing)).execute()
}

export async function lockListing(trx: Trx, id: string): Promise<Listing | undefined> {
  const row = await withCategory(trx).where('listings.id', '=', id).forUpdate('listings').executeTakeFirst()
  return row && toListing(row)
}

/** Stores what changes over a listing's life. */
export async function saveListing(trx: Trx, { id, isActive, updatedAt, version }: Listing): Promise<void> {
  await trx
    .updateTable('listings')
    .set({ is_active: isActive, updated_at: updatedAt, version })
    .where('id', '=', id)
    .execute()
}

export async function readListing(db: Db, id: string): Promise<ListingReading | undefined> {
  const row = await withAuction(db).where('listings.id', '=', id).executeTakeFirst()
  return row && toReading(row)
}

export async function readListingsOf(db: Db, sellerId: string): Promise<ListingReading[]> {
  const rows = await withAuction(db)
    .where('seller_id', '=', sellerId)
    .orderBy('listings.created_at', 'desc')
    .orderBy('listings.id', 'desc')
    .execute()
  return rows.map(toReading)
}

export async function readListingsById(db: Db, ids: readonly string[]): Promise<Listing[]> {
  if (ids.length === 0) return []
  return (await withCategory(db).where('listings.id', 'in', ids).execute()).map(toListing)
}

/** A page of all listings in the order of their ids. */
export async function readListingsAfter(db: Db, afterId: string | null, limit: number): Promise<Listing[]> {
  const page = withCategory(db).orderBy('listings.id').limit(limit)
  return (await (afterId === null ? page : page.where('listings.id', '>', afterId)).execute()).map(toListing)
}

function withCategory(db: Db) {
  return db
    .selectFrom('listings')
    .innerJoin('categories', 'categories.id', 'listings.category_id')
    .selectAll('listings')
    .select(['categories.name as category_name', 'categories.slug as category_slug'])
}

function withAuction(db: Db) {
  return withCategory(db)
    .leftJoin('auction_states', 'auction_states.listing_id', 'listings.id')
    .select(['auction_states.current_bid_cents', 'auction_states.bid_count', 'auction_states.closed_at'])
    .select(sql<Date>`clock_timestamp()`.as('read_at'))
}

function toReading(
  row: ListingWithCategory & {
    current_bid_cents: number | null
    bid_count: number | null
    closed_at: Date | null
    read_at: Date
  },
): ListingReading {
  return {
    listing: toListing(row),
    currentBid: centsOrNull(row.current_bid_cents),
    bidCount: row.bid_count ?? 0,
    isClosed: row.closed_at !== null,
    readAt: row.read_at,
  }
}
