import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../db.ts'
import type { Filters } from './browse.ts'

/** Which listings have the words of a search. */
export interface Match {
  /** The text of a tsquery. */
  query: string
  /** The same and the words of the filters, for the word index. */
  filtered: string
  /** The part of it that the index looks up. */
  lookup: string
  /**
   * Where walking an order finds a page sooner than that, how many listings it may take: Postgres estimates as if words and
   * filters had nothing to do with each other, and those that never come together would be sought among all. Else null.
   */
  walk: number | null
}

type Prices = Pick<Filters, 'minPrice' | 'maxPrice'>

const anyPrice: Prices = { minPrice: null, maxPrice: null }

/** Whether any listing has these words, whatever the filters. */
export async function hasMatches(db: Db, { query }: Match): Promise<boolean> {
  const match = { query, filtered: query, lookup: query, walk: null }
  const { rows } = await sql`${matches(match, anyPrice)} limit 1`.execute(db)
  return rows.length > 0
}

/** The active listings of a match, with their columns that filters and orders use, found by the word index. */
export function matches(match: Match, prices: Prices): RawBuilder<unknown> {
  const { query, filtered, lookup } = match
  // A short prefix would read half of the index.
  const rest = lookup === filtered ? sql`true` : isMatch(query)
  return sql`${columns} from listing_words where words @@ ${lookup}::tsquery and ${rest} and ${isShown(prices)}`
}

/** Those among some rows of listing_words. */
export function matchesAmong(rows: RawBuilder<unknown>, { filtered }: Match, prices: Prices): RawBuilder<unknown> {
  return sql`${columns} from (${rows}) as walked where ${isMatch(filtered)} and ${isShown(prices)}`
}

// As a function, `@@` is judged on the rows that something else found, whatever Postgres thinks of the words.
function isMatch(query: string): RawBuilder<unknown> {
  return sql`ts_match_vq(words, ${query}::tsquery)`
}

const columns = sql`
  select listing_id as id, listed_at as created_at, price_cents as shown_price_cents, ends_at as auction_end_at,
    ends_at is not null as is_auction`

function isShown({ minPrice, maxPrice }: Prices): RawBuilder<unknown> {
  return sql`(ends_at is null or ends_at > statement_timestamp())
    and ${minPrice === null ? sql`true` : sql`price_cents >= ${minPrice}`}
    and ${maxPrice === null ? sql`true` : sql`price_cents <= ${maxPrice}`}`
}
