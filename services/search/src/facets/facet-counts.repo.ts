import { transaction } from '@marketplace/kit/db/db.ts'
import { sql } from 'kysely'
import type { Db } from '../db.ts'

/**
 * Recounts the active listings by category, condition, format and shipping. Returns false without recounting if the
 * last recount is less than `minAgeMs` old or another process is recounting.
 */
export async function recountFacets(db: Db, minAgeMs: number): Promise<boolean> {
  return transaction(db, async (trx) => {
    const { rows } = await sql<{ is_due: boolean }>`
      select pg_try_advisory_xact_lock(hashtextextended('search.facets', 0)) and not exists (
        select from facet_recounts where counted_at > clock_timestamp() - ${minAgeMs} * interval '1 millisecond'
      ) as is_due`.execute(trx)
    if (rows[0]?.is_due !== true) return false
    await sql`delete from facet_counts`.execute(trx)
    await sql`
      insert into facet_counts (category_slug, condition, is_auction, is_free, count)
      select category_slug, condition, ends_at is not null, is_free, count(*) from listing_words
      where (ends_at is null or ends_at > statement_timestamp()) and category_slug is not null
      group by 1, 2, 3, 4`.execute(trx)
    await sql`
      insert into facet_recounts (counted_at) values (clock_timestamp())
      on conflict (is_only) do update set counted_at = excluded.counted_at`.execute(trx)
    return true
  })
}
