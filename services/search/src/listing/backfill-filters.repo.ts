import { sql } from 'kysely'
import type { Db } from '../db.ts'

/** Number of rows that one transaction of the backfill writes. */
export const backfillBatchSize = 2000

const isUnfilled = sql`is_free is null and exists (select from listings where id = listing_id)`

/**
 * Updates a batch of rows that were stored before migration 0013, so that the trigger `filter_words` sets their filter
 * words and facet columns. Returns the number of rows written.
 */
export async function backfillFilters(db: Db, limit = backfillBatchSize): Promise<number> {
  const { numAffectedRows } = await sql`
    update listing_words set words = words where listing_id = any(array(
      select listing_id from listing_words where ${isUnfilled} order by listing_id limit ${limit} for update skip locked
    ))`.execute(db)
  return Number(numAffectedRows ?? 0)
}

/** Counts the rows that the backfill has not written yet. */
export async function countUnfilled(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from listing_words where ${isUnfilled}`.execute(db)
  return rows[0]?.count ?? 0
}

/** Returns whether all rows have filter words. Once true, the result never changes. */
export async function isFilled(db: Db): Promise<boolean> {
  const { rows } = await sql`select from listing_words where ${isUnfilled} limit 1`.execute(db)
  return rows.length === 0
}
