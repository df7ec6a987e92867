import { sql } from 'kysely'
import type { Db, Trx } from '../db.ts'

/**
 * Records the id of a listing before its auction is opened. If the listing is never stored, a sweep drops the auction.
 */
export async function insertOpening(db: Db, listingId: string): Promise<void> {
  await db.insertInto('auction_openings').values({ listing_id: listingId, claimed_at: null }).execute()
}

/**
 * Deletes the opening record of a listing, in the transaction that stores the listing. Returns false if a sweep has
 * already claimed the record: the sweep drops the auction, so the caller must not store the listing.
 */
export async function completeOpening(trx: Trx, listingId: string): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('auction_openings')
    .where('listing_id', '=', listingId)
    .where('claimed_at', 'is', null)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

// Maximum number of opening records that one sweep claims. The sweep makes one call per record, all at the same time,
// so this is also the maximum number of concurrent calls.
const maxClaimed = 20

/**
 * Claims a batch of opening records that are more than an hour old, and returns their listing ids. These listings can
 * no longer be stored. A record can be claimed again after 30 seconds. Records that were never claimed come first, then
 * those with the oldest claim, so that one auction that cannot be dropped does not delay the others.
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
