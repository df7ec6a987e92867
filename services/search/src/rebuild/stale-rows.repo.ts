import { sql } from 'kysely'
import type { Db } from '../db.ts'
import { toTimestamp, type Instant } from '../listing/instant.repo.ts'

const maxDeleted = 1000

type StaleTable = 'listings' | 'bids' | 'views'

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

// Stops when a batch finds no stale row. The number of deleted rows does not decide, because a row that an event
// updates meanwhile is found but not deleted. The loop ends, because no row becomes stale again.
async function deleteStaleRows(db: Db, name: StaleTable, since: Instant): Promise<number> {
  let deleted = 0
  for (;;) {
    const batch = await deleteBatch(db, name, since)
    if (batch.found === 0) return deleted
    deleted += batch.deleted
  }
}

// The condition on `told_at` is repeated in the deletion, so that Postgres checks it again after waiting for a row
// lock.
async function deleteBatch(db: Db, name: StaleTable, since: Instant): Promise<{ found: number; deleted: number }> {
  const table = sql.table(name)
  const { rows } = await sql<{ found: number; deleted: number }>`
    with stale as (
      select ctid as place from ${table} where told_at < ${toTimestamp(since)} limit ${maxDeleted}
    ), deleted as (
      delete from ${table}
      where told_at < ${toTimestamp(since)} and ctid = any(array(select place from stale)) returning 1
    )
    select (select count(*) from stale) as found, (select count(*) from deleted) as deleted`.execute(db)
  return rows[0] ?? { found: 0, deleted: 0 }
}
