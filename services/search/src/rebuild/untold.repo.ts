import { sql } from 'kysely'
import type { Db } from '../db.ts'
import { at, type Instant } from '../listing/instant.repo.ts'

const maxDropped = 1000

/** Drops what nobody told since this instant: no source knows it, or its listing's own row says it. Answers how many listings. */
export async function dropUntold(db: Db, since: Instant): Promise<number> {
  const dropped = await dropRows(db, 'listings', since)
  await dropRows(db, 'bids', since)
  await dropRows(db, 'views', since)
  await sql`
    delete from listing_words
    where not exists (select from listings where id = listing_id and is_active)`.execute(db)
  return dropped
}

// The time is asked for twice, so that a row which is told just now is judged again.
async function dropRows(db: Db, name: 'listings' | 'bids' | 'views', since: Instant): Promise<number> {
  const table = sql.table(name)
  let dropped = 0
  for (let last = maxDropped; last === maxDropped; dropped += last) {
    const { numAffectedRows } = await sql`
      delete from ${table}
      where told_at < ${at(since)}
        and ctid = any(array(select ctid from ${table} where told_at < ${at(since)} limit ${maxDropped}))`.execute(db)
    last = Number(numAffectedRows ?? 0)
  }
  return dropped
}
