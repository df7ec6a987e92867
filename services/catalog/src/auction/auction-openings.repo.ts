import { sql } from 'kysely'
import type { Db, Trx } from '../db.ts'

/** Records that the auction of a listing may be opened before the listing is stored. */
export async function insertOpening(db: Db, listingId: string): Promise<void> {
  await db.insertInto('auction_openings').values({ listing_id: listingId, claimed_at: null }).execute()
}

/**
 * Deletes the opening of a listing that the same transaction stores. Returns false if a sweep has already claimed the
 * opening. The sweep drops the auction, so the listing must then not be stored.
 */
export async function completeOpening(trx: Trx, listingId: string): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('auction_openings')
    .where('listing_id', '=', listingId)
    .where('claimed_at', 'is', null)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

// Maximum number of openings that one sweep claims. Their auctions are dropped by concurrent calls.
const maxClaimed = 20

/**
 * Claims a batch of openings older than an hour for 30 seconds, and returns their listing ids. The listing of a claimed
 * opening can no longer be stored. Unclaimed openings come first, then those claimed longest ago, so that an auction
 * that cannot be dropped does not delay the others.
 */
export async function claimAbandonedOpenings(db: Db): Promise<string[]> {
  const { rows } = await sql<{ listing_id: string }>`
    update auction_openings set claimed_at = clock_timestamp() where listing_id in (
      select listing_id from auction_openings where opened_at < statement_timestamp() - interval '1 hour'
        and (claimed_at is null or claimed_at < statement_timestamp() - interval '30 seconds')
      order by claimed_at nulls first, opened_at limit ${maxClaimed} for update skip locked
    ) returning listing_id`.execute(db)
  return rows.map((row) => row.listing_id)
}

export async function deleteOpenings(db: Db, listingIds: readonly string[]): Promise<void> {
  await sql`delete from auction_openings where listing_id = any(${listingIds}::uuid[])`.execute(db)
}
