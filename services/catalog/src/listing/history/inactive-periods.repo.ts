import { deleteExpired } from '@marketplace/kit/db/delete-expired.ts'
import type { Db, Trx } from '../../db.ts'
import { maxHistory, provenWithinMs, type Period } from './struck-price.ts'

/** Stores the period between the end of a listing and its relisting. */
export async function insertInactivePeriod(trx: Trx, listingId: string, { from, until }: Period): Promise<void> {
  await trx
    .insertInto('listing_inactive_periods')
    .values({ listing_id: listingId, from_at: from, until_at: until })
    .execute()
}

/** Reads the latest periods in which a listing was inactive, at most 500, newest first. */
export async function findInactivePeriods(trx: Trx, listingId: string): Promise<Period[]> {
  const rows = await trx
    .selectFrom('listing_inactive_periods')
    .select(['from_at as from', 'until_at as until'])
    .where('listing_id', '=', listingId)
    .orderBy('from_at', 'desc')
    .limit(maxHistory)
    .execute()
  return rows
}

const maxDeleted = 1000

/** Deletes a batch of inactive periods that ended more than a year ago. Returns their number. */
export function deleteExpiredInactivePeriods(db: Db): Promise<number> {
  const table = 'listing_inactive_periods'
  return deleteExpired(db, { table, time: 'until_at', ageMs: provenWithinMs, limit: maxDeleted })
}
