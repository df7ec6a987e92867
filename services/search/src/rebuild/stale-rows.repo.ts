import { sql } from 'kysely'
import type { Db } from '../db.ts'
import { toTimestamp, type Instant } from '../listing/instant.repo.ts'

const maxDeleted = 1000

/**
 * Deletes the rows of `listings`, `bids` and `views` that were last written before `since`, the start of a rebuild. The
 * rebuild and later events have written all rows that are still needed. Returns the number of deleted listings.
 */
export async function deleteStale(db: Db, since: Instant): Promise<number> {
  const deleted = await deleteStaleRows(db, 'listings', since)
  await deleteStaleRows(db, 'bids', since)
  await deleteStaleRows(db, 'views', since)
  await sql`
    delete from listing_words
    where not exists (select from listings where id = listing_id and is_active)`.execute(db)
  return deleted
}

// The condition on `told_at` is repeated outside the subquery, so that Postgres checks it again after waiting for a row
// lock.
async function deleteStaleRows(db: Db, name: 'listings' | 'bids' | 'views', since: Instant): Promise<number> {
  const table = sql.table(name)
  let deleted = 0
  for (let last = maxDeleted; last === maxDeleted; deleted += last) {
    const { numAffectedRows } = await sql`
      delete from ${table}
      where told_at < ${toTimestamp(since)}
        and ctid = any(array(select ctid from ${table} where told_at < ${toTimestamp(since)} limit ${maxDeleted}))`.execute(
      db,
    )
    last = Number(numAffectedRows ?? 0)
  }
  return deleted
}
