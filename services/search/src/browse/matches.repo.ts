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

/** Whether any listing has these words, whatever the filters. */
export async function hasMatches(db: Db, { query }: Match): Promise<boolean> {
  const { rows } = await sql`select from ${matches({ query, filtered: query, lookup: query })} limit 1`.execute(db)
  return rows.length > 0
}

/** The active listings of a match, a row each with `listing_id` and `listed_at`; prices are left to the asker. */
export function matches({ query, filtered, lookup }: Match): RawBuilder<unknown> {
  const indexed = lookup ?? filtered
  // As a function, `@@` is judged on the rows that the index found: a short prefix would read half of the index.
  const rest = indexed === filtered ? sql`true` : sql`ts_match_vq(words, ${query}::tsquery)`
  return sql`(
    select listing_id, listed_at from listing_words
    where words @@ ${indexed}::tsquery and ${rest} and (ends_at is null or ends_at > statement_timestamp())
  ) as matches`
}
