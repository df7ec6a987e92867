import { instantText, isAfter, type TimePosition } from '@marketplace/kit/db/time-order.ts'
import { sql } from 'kysely'
import type { Db } from '../db.ts'
import { toListing } from './listing-row.ts'
import type { Listing } from './listing.ts'
import { toSnapshot, withAuction, withCategoryAndViews, type ListingSnapshot } from './listings.repo.ts'

export interface SellerListingsQuery {
  sellerId: string
  after: TimePosition | null
  /** Maximum number of rows. */
  limit: number
}

export type PlacedSnapshot = ListingSnapshot & { position: TimePosition }

/** Reads a seller's listings, the newest first. */
export async function findSellerListings(db: Db, query: SellerListingsQuery): Promise<PlacedSnapshot[]> {
  const { sellerId, after, limit } = query
  const rows = await withAuction(db)
    .select(instantText('listings.created_at').as('at'))
    .where('seller_id', '=', sellerId)
    .where(isAfter(['listings.created_at', 'listings.id'], after))
    .orderBy('listings.created_at', 'desc')
    .orderBy('listings.id', 'desc')
    .limit(limit)
    .execute()
  return rows.map((row) => ({ ...toSnapshot(row), position: { at: row.at, id: row.id } }))
}

/** Counts a seller's listings, and those that are active, each up to `max`. */
export async function countSellerListings(
  db: Db,
  sellerId: string,
  max: number,
): Promise<{ all: number; active: number }> {
  const { rows } = await sql<{ all: number; active: number }>`
    select
      (select count(*) from (select from listings where seller_id = ${sellerId} limit ${max}) as found) as "all",
      (select count(*) from (
        select from listings where seller_id = ${sellerId} and is_active
          and (auction_end_at is null or auction_end_at > statement_timestamp()) limit ${max}
      ) as found) as active`.execute(db)
  return rows[0] ?? { all: 0, active: 0 }
}

/** Reads all listings of a seller. */
export async function findAllSellerListings(db: Db, sellerId: string): Promise<Listing[]> {
  return (await withCategoryAndViews(db).where('seller_id', '=', sellerId).orderBy('listings.id').execute()).map(
    toListing,
  )
}
