import { sql, type RawBuilder } from 'kysely'
import { titleQuery } from '../synonyms/tsquery-text.ts'
import { withoutEstimate } from '../without-estimate.repo.ts'
import { fewFilters, priceFilters, type ColumnFilter, type Filters } from './filters.ts'

/**
 * How a listing matches a search. `title`: the title contains all words. `description`: the title and the description
 * together contain all words. `related`: at least one word matches only through a synonym or a category.
 */
export type MatchKind = 'title' | 'description' | 'related'

/** The tsqueries that select the listings of a search. */
export interface Match {
  /**
   * The search words as tsquery text, with alternatives if related matches are included. Empty without search words.
   */
  query: string
  /** The search words as tsquery text, without alternatives. Empty without search words. */
  direct: string
  /**
   * `query` combined with the lexemes of the filters. Empty if there are neither search words nor filters with lexemes.
   */
  filteredQuery: string
  /** The query for the GIN index: `filteredQuery` without the last search word if that word is a too common prefix. */
  indexQuery: string
  /**
   * Maximum number of rows that a scan in sort order reads before it stops, in case matches are rarer than estimated.
   * Null if the word index is used instead of a scan.
   */
  scanLimit: number | null
}

/**
 * Builds the query that finds the active listings for a search through the GIN index on words. Selects the columns that
 * filtering and sorting need, and the additional columns `more`.
 */
export function matches(match: Match, filters: Filters, more: RawBuilder<unknown> = sql``): RawBuilder<unknown> {
  return sql`${columns} ${more} from listing_words where ${isFoundIn(match, filters)} and ${isVisible(filters)}`
}

/**
 * Additional columns for counting facets. `listings` is 1, because each row is one listing; a row of the table
 * `facet_counts` stands for several listings.
 */
export const facetColumns = sql`, category_slug, condition, is_free, 1 as listings`

// Builds the condition that finds the matches: by seller or listing ids if these filters are set, otherwise by the word
// index.
function isFoundIn({ query, filteredQuery, indexQuery }: Match, filters: Filters): RawBuilder<unknown> {
  const few = fewFilters(filters)
  if (few.length > 0) {
    const ids = sql`select id from listings where is_active and ${sql.join(few.map(conditionOf), sql` and `)}`
    return sql`listing_id = any(array(${ids})) and ${filteredQuery === '' ? sql`true` : isMatch(filteredQuery)}`
  }
  // If `indexQuery` omits a word that is too common to look up, each row found is also checked for that word.
  return sql`words @@ ${withoutEstimate(indexQuery, 'tsquery')} and ${indexQuery === filteredQuery ? sql`true` : isMatch(query)}`
}

/** Builds the condition `column operator value`, or `column = any(values)` for a list of ids. */
export function conditionOf({ column, operator, value }: ColumnFilter): RawBuilder<unknown> {
  if (typeof value === 'object') return sql`${sql.ref(column)} = any(${[...value]}::uuid[])`
  return sql`${sql.ref(column)} ${sql.raw(operator)} ${value}`
}

/** Builds the query that filters the given rows of `listing_words` by the search and the filters. */
export function matchesAmong(
  rows: RawBuilder<unknown>,
  { filteredQuery }: Match,
  filters: Filters,
): RawBuilder<unknown> {
  return sql`${columns} from (${rows}) as scanned where ${isMatch(filteredQuery)} and ${isVisible(filters)}`
}

/** Builds the SQL expression that returns how a listing matches the search. Evaluated only for the rows of a page. */
export function matchKindOf(match: Match | null): RawBuilder<MatchKind | null> {
  if (!match || match.direct === '') return sql`null::text`
  return sql`(
    select case when ${isMatch(titleQuery(match.direct))} then 'title' when ${isMatch(match.direct)} then 'description'
      else 'related' end
    from listing_words where listing_id = id
  )`
}

// Builds a condition that only checks rows that were already read. It calls the function of the operator `@@`, so that
// the planner cannot use the word index.
export function isMatch(query: string): RawBuilder<unknown> {
  return sql`ts_match_vq(words, ${query}::tsquery)`
}

const columns = sql`
  select listing_id as id, listed_at as created_at, price_cents as shown_price_cents, ends_at as auction_end_at,
    ends_at is not null as is_auction`

// Builds the conditions that each found row must meet: its auction has not ended, and its price matches the filter.
function isVisible(filters: Filters): RawBuilder<unknown> {
  const prices = priceFilters(filters, 'price_cents').map(conditionOf)
  return sql.join([sql`(ends_at is null or ends_at > statement_timestamp())`, ...prices], sql` and `)
}
