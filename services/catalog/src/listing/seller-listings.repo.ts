import { instantText, isAfter, type TimePosition } from '@marketplace/kit/db/time-order.ts'
import type { ListingStatus } from '@marketplace/contracts/listing.ts'
import { sql } from 'kysely'
import type { Db } from '../db.ts'
import { toListing } from './listing-row.ts'
import type { Listing } from './listing.ts'
import { withCategoryAndViews } from './listings.repo.ts'

export interface SellerListingsQuery {
  sellerId: string
  /** Only listings with this status; null for all. */
  status: ListingStatus | null
  after: TimePosition | null
  /** Maximum number of rows. */
  limit: number
}

/** Reads the sort positions (creation time and id) of a seller's listings, newest first. */
export async function findSellerPositions(
  db: Db,
  { sellerId, status, after, limit }: SellerListingsQuery,
): Promise<TimePosition[]> {
  return db
    .selectFrom('listings')
    .select([instantText('created_at').as('at'), 'id'])
    .where('seller_id', '=', sellerId)
    .$if(status !== null, (query) => query.where('status', '=', status))
    .where(isAfter(['created_at', 'id'], after))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

/** Counts a seller's listings, and separately the active ones. Each count stops at `max`. */
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
