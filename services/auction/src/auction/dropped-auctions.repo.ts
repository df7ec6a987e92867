import { deleteExpired } from '@marketplace/kit/db/delete-expired.ts'
import { sql } from 'kysely'
import type { Db, Trx } from '../db.ts'

/**
 * Prevents a listing's auction from being opened and dropped at the same time, with a lock that lasts until the
 * transaction ends.
 */
export async function lockOpening(trx: Trx, listingId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('auction.opening:' || ${listingId}, 0))`.execute(trx)
}

/** Returns whether the listing's auction was dropped. The caller must hold the lock of `lockOpening`. */
export async function isDropped(trx: Trx, listingId: string): Promise<boolean> {
  const row = await trx
    .selectFrom('dropped_auctions')
    .select('listing_id')
    .where('listing_id', '=', listingId)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Returns whether the auction has a bid or was ever reserved for a buyer. The caller must have locked the auction's
 * row.
 */
export async function isInUse(trx: Trx, listingId: string): Promise<boolean> {
  const { rows } = await sql<{ isInUse: boolean }>`
    select exists (select from bids where listing_id = ${listingId})
      or exists (select from holds where listing_id = ${listingId}) as "isInUse"`.execute(trx)
  return rows[0]?.isInUse === true
}

/** Deletes the listing's auction, if there is one, and records that it was dropped. */
export async function deleteAuction(trx: Trx, listingId: string): Promise<void> {
  await trx
    .insertInto('dropped_auctions')
    .values({ listing_id: listingId })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await trx.deleteFrom('auctions').where('listing_id', '=', listingId).execute()
}

const retentionMs = 30 * 24 * 3_600_000
const maxDeleted = 1000

/** Deletes a batch of dropped-auction records that are older than 30 days. Returns the number of deleted records. */
export function deleteExpiredDrops(db: Db): Promise<number> {
  return deleteExpired(db, { table: 'dropped_auctions', time: 'dropped_at', ageMs: retentionMs, limit: maxDeleted })
}
