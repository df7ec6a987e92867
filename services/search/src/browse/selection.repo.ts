import { sql, type RawBuilder } from 'kysely'
import { shownColumns, type ShownListing } from '../db.ts'
import { withoutEstimate } from '../without-estimate.repo.ts'
import type { Position } from './browse.ts'
import { listingFilters, type Filters } from './filters.ts'
import { conditionOf, matches, matchesAmong, type Match, type MatchKind } from './matches.repo.ts'

/** The listings that a request selects, regardless of order and page. */
export interface Selection {
  filters: Filters
  match: Match | null
}

/** A listing that was found, with its position (segment and sort key) in the result. */
export interface FoundListing {
  row: ShownListing
  position: Position
  /** Number of selected listings; null if the query did not read them all. */
  total: number | null
  /** How the listing matches the search. Null without search words. */
  match: MatchKind | null
}

export type FoundRow = ShownListing & { total: number | null; match: MatchKind | null }

export type SortColumn = 'created_at' | 'auction_end_at' | 'shown_price_cents'

/** Maximum number of characters of a description in lists. */
const maxListedDescription = 160

export const shown = sql.join([
  ...shownColumns.map((column) => sql.ref(`listings.${column}`)),
  // Lists show only the beginning of a description, because a description can have 20 kB.
  sql`(
    select jsonb_set(whole, '{description}', to_jsonb(left(whole ->> 'description', ${maxListedDescription})))
    from (select listing_body(listings) as whole) as document
  ) as body`,
])

// Postgres evaluates this subquery in the select list only for the rows of the page.
export const laterViews = sql`(select view_count from views where listing_id = id) as later_view_count`

export const sortColumns = sql.join(
  ['id', 'created_at', 'shown_price_cents', 'auction_end_at', 'is_auction'].map((column) =>
    sql.ref(`listings.${column}`),
  ),
)

/**
 * Builds the common table expression `found`, which contains the selected listings. With an index lookup, `found` is
 * materialized, because its rows are also counted, and `words_row` is the `ctid` of the row in `listing_words`. With an
 * ordered scan, `found` is not materialized, so that the scan stops as soon as the page is full. `scanned` is the query
 * for the ordered scan; it must read `listing_words` if `key` is `created_at`, otherwise `listings`.
 */
export function foundFor(
  { match, filters }: Selection,
  key: SortColumn,
  scanned: RawBuilder<unknown>,
): RawBuilder<unknown> {
  if (!match) return sql`not materialized (${listingsWith(filters)})`
  if (match.scanLimit === null) return sql`materialized (${matches(match, filters, sql`, ctid as words_row`)})`
  const rows = sql`${scanned} limit ${withoutEstimate(match.scanLimit, 'bigint')}`
  if (key === 'created_at') return sql`not materialized (${matchesAmong(rows, match, filters)})`
  const words = sql`
    select listing_id, words, ends_at, listed_at, price_cents from listing_words where listing_id = listings.id`
  return sql`not materialized (
    select ${sortColumns} from (${rows}) as listings, lateral (${matchesAmong(words, match, filters)}) as matching
  )`
}

export function newestWords(within: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    select listing_id, words, ends_at, listed_at, price_cents from listing_words
    where ${within} order by listed_at desc, listing_id desc`
}

export function totalOf({ match }: Selection): RawBuilder<unknown> {
  return match && match.scanLimit === null ? sql`(select count(*) from found)` : sql`null::bigint`
}

export function listingsWith(filters: Filters, more: RawBuilder<unknown> = sql``): RawBuilder<unknown> {
  const conditions = [
    sql`is_active and (auction_end_at is null or auction_end_at > statement_timestamp())`,
    ...listingFilters(filters).map(conditionOf),
  ]
  return sql`select ${sortColumns} ${more} from listings where ${sql.join(conditions, sql` and `)}`
}
