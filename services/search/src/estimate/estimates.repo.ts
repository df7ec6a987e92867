import { sql } from 'kysely'
import type { Db } from '../db.ts'

/** Returns the planner's estimates of how many listings match each of the tsqueries. */
export async function readEstimates(db: Db, queries: readonly string[]): Promise<number[]> {
  const { rows } = await sql<{ matching: number }>`
    select estimated_matches(query::tsquery) as matching
    from unnest(${[...queries]}::text[]) with ordinality as given (query, place)
    order by place`.execute(db)
  return rows.map(({ matching }) => matching)
}

/** SQL for the number of active listings according to Postgres' statistics: -1 until the table has been analyzed. */
export const allListings = sql`(select reltuples from pg_class where oid = 'listing_words'::regclass)`

/** Returns the number of active listings according to Postgres' statistics. */
export async function readListings(db: Db): Promise<number> {
  const { rows } = await sql<{ listings: number }>`select ${allListings} as listings`.execute(db)
  return rows[0]?.listings ?? 0
}
