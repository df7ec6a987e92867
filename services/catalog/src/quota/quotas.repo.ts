import { sql } from 'kysely'
import type { Db, Trx } from '../db.ts'

type Quota = 'listings' | 'favorites' | 'offers' | 'drafts' | 'pictures'

/**
 * Locks a member's quota until the transaction ends, so that concurrent transactions of the member cannot exceed the
 * quota together. Other members are not affected.
 */
export async function lockQuota(trx: Trx, quota: Quota, userId: string): Promise<void> {
  const key = `quota ${quota} ${userId}`
  await sql`select pg_advisory_xact_lock(hashtextextended(current_schema() || ${key}, 0))`.execute(trx)
}

export interface ListingUse {
  active: number
  today: number
  /** The database's time of this read. */
  readAt: Date
}

/** Counts a seller's active listings, and the seller's listings of the last 24 hours, each up to `max`. */
export async function countListingUse(db: Db | Trx, sellerId: string, max: number): Promise<ListingUse> {
  const { rows } = await sql<ListingUse>`
    select
      (select count(*) from (
        select from listings where seller_id = ${sellerId} and is_active
          and (auction_end_at is null or auction_end_at > statement_timestamp()) limit ${max}
      ) as found) as active,
      (select count(*) from (
        select from listings where seller_id = ${sellerId} and created_at > statement_timestamp() - interval '24 hours'
        limit ${max}
      ) as found) as today,
      statement_timestamp() as "readAt"`.execute(db)
  const [use] = rows
  if (!use) throw new Error('The database returned no counts.')
  return use
}

/** Counts the revisions of a listing that edits of the last 24 hours stored, up to `max`. */
export async function countRecentEdits(trx: Trx, listingId: string, max: number): Promise<number> {
  // The newest revisions are read by the primary key. The first one was stored with the listing, not by an edit.
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (
      select at from listing_revisions where listing_id = ${listingId} and terms_version > 1
      order by terms_version desc limit ${max}
    ) as newest where at > statement_timestamp() - interval '24 hours'`.execute(trx)
  return rows[0]?.count ?? 0
}
