import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../db.ts'
import { setFilters, type Filters } from './filters.ts'

/** The tsqueries that select the listings of a search. */
export interface Match {
  /** Text of the tsquery for the search words. */
  query: string
  /** `query` extended by the words of the category and condition filters. */
  filteredQuery: string
  /** The part of `filteredQuery` that is looked up in the GIN index. The remaining words are checked row by row. */
  indexQuery: string
  /**
   * Maximum number of rows that an ordered scan may read. Null if an index lookup is expected to be cheaper. The limit
   * is needed because Postgres estimates the frequency of words and filters independently: for words and filters that
   * never occur together, the scan would read every listing.
   */
  scanLimit: number | null
}

/** Checks whether any active listing has the search words, ignoring all filters. */
export async function hasMatches(db: Db, { query }: Match): Promise<boolean> {
  const match = { query, filteredQuery: query, indexQuery: query, scanLimit: null }
  const { rows } = await sql`${matches(match, {})} limit 1`.execute(db)
  return rows.length > 0
}

/**
 * Builds the query that finds the active listings of a match by index lookup. It selects the columns that filters and
 * sort orders use.
 */
export function matches(match: Match, filters: Partial<Filters>): RawBuilder<unknown> {
  const { query, filteredQuery, indexQuery } = match
  // `indexQuery` may omit a prefix that is too common to look up. The rows are then checked against the full query
  // here.
  const recheck = indexQuery === filteredQuery ? sql`true` : isMatch(query)
  return sql`${columns} from listing_words where words @@ ${indexQuery}::tsquery and ${recheck} and ${isVisible(filters)}`
}

/** Builds the query for the matches among the given rows of `listing_words`. */
export function matchesAmong(
  rows: RawBuilder<unknown>,
  { filteredQuery }: Match,
  filters: Partial<Filters>,
): RawBuilder<unknown> {
  return sql`${columns} from (${rows}) as scanned where ${isMatch(filteredQuery)} and ${isVisible(filters)}`
}

// Calls the function that implements the operator `@@`. The planner uses the word index only for the operator, so the
// function just filters rows that were already read.
function isMatch(query: string): RawBuilder<unknown> {
  return sql`ts_match_vq(words, ${query}::tsquery)`
}

const columns = sql`
  select listing_id as id, listed_at as created_at, price_cents as shown_price_cents, ends_at as auction_end_at,
    ends_at is not null as is_auction`

// Filters that have an index word are part of the tsquery, so only filters by column are added here.
function isVisible(filters: Partial<Filters>): RawBuilder<unknown> {
  const conditions = setFilters(filters).flatMap(({ inWords, operator, value }) =>
    'column' in inWords ? [sql`${sql.ref(inWords.column)} ${sql.raw(operator)} ${value}`] : [],
  )
  return sql.join([sql`(ends_at is null or ends_at > statement_timestamp())`, ...conditions], sql` and `)
}
