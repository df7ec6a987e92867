import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../db.ts'

/** Which listings have the words of a search. */
export interface Match {
  /** The text of a tsquery. */
  query: string
  /** The same and the words of the filters, for the word index. */
  filtered: string
  /** The part of it that the index looks up; null where walking an order finds a page sooner than that. */
  lookup: string | null
}

/** Whether any listing has these words. */
export async function hasMatches(db: Db, match: Match): Promise<boolean> {
  const { rows } = await sql`select from ${matches(match)} limit 1`.execute(db)
  return rows.length > 0
}

/**
 * The words of the active listings of a match: a row each with `listing_id`, `listed_at` and `words`, for all filters but prices.
 * Fetched by the word index whatever is made of them, or as the planner sees fit.
 */
export function matches({ query, filtered, lookup }: Match): RawBuilder<unknown> {
  const indexed = lookup ?? filtered
  // As a function, `@@` is judged on the rows that the index found: a short prefix would read half of the index.
  const rest = indexed === filtered ? sql`true` : sql`ts_match_vq(words, ${query}::tsquery)`
  const fence = lookup === null ? sql`` : sql`offset 0`
  return sql`(
    select listing_id, listed_at, words from listing_words
    where words @@ ${indexed}::tsquery and ${rest} and (ends_at is null or ends_at > statement_timestamp()) ${fence}
  ) as matches`
}
