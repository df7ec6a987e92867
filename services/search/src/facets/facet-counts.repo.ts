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
    // The query groups the rows without sorting them, because Postgres reads them in group order from the index
    // `listing_words_facets`.
    await sql`
      insert into facet_counts (category_slug, condition, is_auction, is_free, count)
      select category_slug, condition, is_auction, is_free, count from (
        select category_slug, condition, is_free, count(*) filter (where ends_at is null) as fixed,
          count(*) filter (where ends_at > statement_timestamp()) as auctions
        from listing_words where category_slug is not null group by 1, 2, 3
      ) as counted, lateral (values (false, fixed), (true, auctions)) as formats (is_auction, count)
      where count > 0`.execute(trx)
    await sql`
      insert into facet_recounts (counted_at) values (clock_timestamp())
      on conflict (is_only) do update set counted_at = excluded.counted_at`.execute(trx)
    return true
  })
}
