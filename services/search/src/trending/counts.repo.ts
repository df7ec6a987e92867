import { sql } from 'kysely'
import type { Db } from '../db.ts'

/** The terms with most counts in the last 24 hours, each in its newest spelling. */
export async function readMostCounted(db: Db, limit: number): Promise<string[]> {
  const { rows } = await sql<{ term: string }>`
    select (
      select term from search_counts as spelt where spelt.term_key = most.term_key order by counted_at desc limit 1
    ) as term
    from (
      select term_key, count(*) as searchers, max(counted_at) as newest_at
      from search_counts where counted_at > statement_timestamp() - interval '24 hours'
      group by term_key order by searchers desc, newest_at desc, term_key limit ${limit}
    ) as most
    order by searchers desc, newest_at desc, term_key`.execute(db)
  return rows.map(({ term }) => term)
}

const maxForgotten = 1000

/** Forgets some counts that are too old to matter; answers how many. */
export async function forgetOldCounts(db: Db): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from search_counts where ctid = any(array(
      select ctid from search_counts where counted_at < statement_timestamp() - interval '24 hours' limit ${maxForgotten}
    ))`.execute(db)
  return Number(numAffectedRows ?? 0)
}
