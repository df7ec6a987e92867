import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../db.ts'
import type { Filters } from './browse.ts'

/** Which listings have the words of a search. */
export interface Match {
  /** The text of a tsquery. */
  query: string
  /** The same and the words of the filters, for the word index. */
  filtered: string
  /** The part of it that the index looks up; null where walking an order finds a page sooner than that. */
  lookup: string | null
}

type Prices = Pick<Filters, 'minPrice' | 'maxPrice'>

const anyPrice: Prices = { minPrice: null, maxPrice: null }

/** Whether any listing has these words, whatever the filters. */
export async function hasMatches(db: Db, { query }: Match): Promise<boolean> {
  const { rows } = await sql`${matches({ query, filtered: query, lookup: query }, anyPrice)} limit 1`.execute(db)
  return rows.length > 0
}

/** The active listings of a match, with their columns that filters and orders use. */
export function matches({ query, filtered, lookup }: Match, { minPrice, maxPrice }: Prices): RawBuilder<unknown> {
  const indexed = lookup ?? filtered
  // As a function, `@@` is judged on the rows that the index found: a short prefix would read half of the index.
  const rest = indexed === filtered ? sql`true` : sql`ts_match_vq(words, ${query}::tsquery)`
  return sql`
    select listing_id as id, listed_at as created_at, price_cents as shown_price_cents, ends_at as auction_end_at,
      ends_at is not null as is_auction
    from listing_words
    where words @@ ${indexed}::tsquery and ${rest} and (ends_at is null or ends_at > statement_timestamp())
      and ${minPrice === null ? sql`true` : sql`price_cents >= ${minPrice}`}
      and ${maxPrice === null ? sql`true` : sql`price_cents <= ${maxPrice}`}`
}
