import { sql, type RawBuilder } from 'kysely'
import { z } from 'zod'
import type { Db } from '../db.ts'

/** Which listings have the words of a search. */
export interface Match {
  /** The text of a tsquery. */
  query: string
  /** The part that the word index looks up; null where walking an order finds a page sooner than the index does. */
  lookup: string | null
}

const Explained = z.tuple([z.object({ Plan: z.object({ 'Plan Rows': z.number() }) })])

/** About how many listings have these words: the planner's guess from its statistics, in a millisecond. */
export async function estimateMatches(db: Db, query: string): Promise<number> {
  const { rows } = await sql<{ 'QUERY PLAN': unknown }>`
    explain (format json) select from listing_words where words @@ ${query}::tsquery`.execute(db)
  const [{ Plan: plan }] = Explained.parse(rows[0]?.['QUERY PLAN'])
  return plan['Plan Rows']
}

/** Whether any listing has these words. */
export async function hasMatches(db: Db, match: Match): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    // Words that never meet would be looked for from the first row to the last.
    await sql`set local enable_seqscan = off`.execute(trx)
    const { rows } = await sql`select from ${matches(match)} limit 1`.execute(trx)
    return rows.length > 0
  })
}

/** The listings of a match: fetched by the word index whatever the order, or as the planner sees fit. */
export function matchingListings(match: Match): RawBuilder<unknown> {
  return match.lookup === null
    ? sql`listings join listing_words on listing_id = id and words @@ ${match.query}::tsquery`
    : sql`${matches(match)} join listings on id = listing_id`
}

/** The words of active listings that match: as many as there are listings, for less. */
export function matches({ query, lookup }: Match): RawBuilder<unknown> {
  // As a function, `@@` is judged on the rows that the index found: a short prefix would read half of the index.
  const rest = lookup === null || lookup === query ? sql`true` : sql`ts_match_vq(words, ${query}::tsquery)`
  return sql`(
    select listing_id from listing_words
    where words @@ ${lookup ?? query}::tsquery and ${rest} and (ends_at is null or ends_at > statement_timestamp())
    offset 0
  ) as matches`
}
