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

/** A stretch of the history, by the database's clock; microseconds since 1970. */
export interface Stretch {
  /** In order of time. The id is the row's own while it exists. */
  counts: { id: string; countedAt: number; key: string; term: string }[]
  /** Until when these are all that was kept by now. */
  until: number
}

/** The counts since an instant, the oldest first and so many at most; none of them older than 24 hours. */
export async function readCountsSince(db: Db, since: number, limit: number): Promise<Stretch> {
  const { rows } = await sql<{ now: number; id: string | null; countedAt: number; key: string; term: string }>`
    select ${micros('statement_timestamp()')} as now, counts.*
    from (select 1) as one left join (
      select ctid::text as id, ${micros('counted_at')} as "countedAt", term_key as key, term
      from search_counts
      where counted_at > statement_timestamp() - interval '24 hours'
        and counted_at >= timestamptz 'epoch' + ${since}::float8 * interval '1 microsecond'
      order by counted_at limit ${limit}
    ) as counts on true
    order by "countedAt"`.execute(db)
  const counts = rows.flatMap(({ id, countedAt, key, term }) => (id === null ? [] : [{ id, countedAt, key, term }]))
  const until = (counts.length < limit ? rows[0]?.now : counts.at(-1)?.countedAt) ?? since
  return { counts, until }
}

const micros = (expression: string) => sql.raw(`(extract(epoch from ${expression}) * 1000000)::bigint`)

const maxForgotten = 1000

/** Forgets some counts that are too old to matter; answers how many. */
export async function forgetOldCounts(db: Db): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from search_counts where ctid = any(array(
      select ctid from search_counts where counted_at < statement_timestamp() - interval '24 hours' limit ${maxForgotten}
    ))`.execute(db)
  return Number(numAffectedRows ?? 0)
}
