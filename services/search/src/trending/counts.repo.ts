import { sql } from 'kysely'
import type { Db } from '../db.ts'

/** Returns the terms with the most counted searches in the last 24 hours, each in the spelling of its newest search. */
export async function readMostCounted(db: Db, limit: number): Promise<string[]> {
  const { rows } = await sql<{ term: string }>`
    select (
      select term from search_counts as spelling where spelling.term_key = top.term_key order by counted_at desc limit 1
    ) as term
    from (
      select term_key, count(*) as searchers, max(counted_at) as newest_at
      from search_counts where counted_at > statement_timestamp() - interval '24 hours'
      group by term_key order by searchers desc, newest_at desc, term_key limit ${limit}
    ) as top
    order by searchers desc, newest_at desc, term_key`.execute(db)
  return rows.map(({ term }) => term)
}

/** A batch of counted searches. Times are microseconds since the Unix epoch, read from the database clock. */
export interface CountBatch {
  /**
   * Counted searches, oldest first. A search is identified by `id` and `countedAt` together, because the id of a
   * deleted row can be reused.
   */
  counts: { id: string; countedAt: number; key: string; term: string }[]
  /** The batch contains all searches up to this time that were committed before the query ran. */
  until: number
}

/**
 * Reads up to `limit` counted searches since the time `since` (in microseconds), oldest first. Omits searches that are
 * more than 24 hours old.
 */
export async function readCountsSince(db: Db, since: number, limit: number): Promise<CountBatch> {
  const { rows } = await sql<{ now: number; id: string | null; countedAt: number; key: string; term: string }>`
    select ${micros('statement_timestamp()')} as now, counts.*
    from (select 1) as single_row left join (
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

const maxDeleted = 1000

/** Deletes a batch of counted searches that are more than 24 hours old. Returns the number of deleted rows. */
export async function deleteExpiredCounts(db: Db): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from search_counts where ctid = any(array(
      select ctid from search_counts where counted_at < statement_timestamp() - interval '24 hours' limit ${maxDeleted}
    ))`.execute(db)
  return Number(numAffectedRows ?? 0)
}
