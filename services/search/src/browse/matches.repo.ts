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

/** The active listings of a match, with their columns that filters and orders use, found by the word index. */
export function matches(match: Match, prices: Prices): RawBuilder<unknown> {
  const { query, filtered, lookup } = match
  const indexed = lookup ?? filtered
  // A short prefix would read half of the index.
  const rest = indexed === filtered ? sql`true` : isMatch(query)
  return listingsWhere(sql`words @@ ${indexed}::tsquery and ${rest}`, prices)
}

/** The same, of which some order is to find the first. */
export function matchesToWalk({ filtered }: Match, prices: Prices): RawBuilder<unknown> {
  return listingsWhere(isMatch(filtered), prices)
}

// As a function, `@@` is judged on the rows that something else found, whatever Postgres thinks of the words.
function isMatch(query: string): RawBuilder<unknown> {
  return sql`ts_match_vq(words, ${query}::tsquery)`
}

function listingsWhere(hasWords: RawBuilder<unknown>, { minPrice, maxPrice }: Prices): RawBuilder<unknown> {
  return sql`
    select listing_id as id, listed_at as created_at, price_cents as shown_price_cents, ends_at as auction_end_at,
      ends_at is not null as is_auction
    from listing_words
    where ${hasWords} and (ends_at is null or ends_at > statement_timestamp())
      and ${minPrice === null ? sql`true` : sql`price_cents >= ${minPrice}`}
      and ${maxPrice === null ? sql`true` : sql`price_cents <= ${maxPrice}`}`
}
