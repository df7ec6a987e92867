import { sql, type RawBuilder } from 'kysely'
import { hasPriceFilter } from '../browse/browse.ts'
import { fewFilters, type Filters } from '../browse/filters.ts'
import { facetColumns, matches, type Match } from '../browse/matches.repo.ts'
import { listingsWith } from '../browse/selection.repo.ts'
import type { Db } from '../db.ts'
import { withoutFacets, type FacetName } from './facets.ts'

/** Maximum number of matches that are counted for facets. */
export const maxCounted = 10_000

export interface FacetCounts extends Record<FacetName, ReadonlyMap<string, number>> {
  /**
   * Number of listings that match the search and all filters except those on category, condition, format and free
   * shipping.
   */
  size: number
}

/**
 * Counts the listings for each value of each facet. The counts of a facet apply all filters except those on that facet.
 * Returns null if more than `maxCounted` listings match without the facet filters.
 */
export async function countFacets(db: Db, match: Match | null, filters: Filters): Promise<FacetCounts | null> {
  const { rows } = await sql<{ facet: FacetName | 'size'; value: string; count: number }>`
    with found as materialized (
      select category_slug, condition, is_auction, is_free, count(*) as matches, sum(listings) as listings
      from (${foundFor(match, withoutFacets(filters))}) as matching group by 1, 2, 3, 4
    ), chosen as (
      select category_slug, condition, is_auction, is_free, listings, ${isChosen('category_slug', filters.category)} as in_category,
        ${isChosen('condition', filters.condition)} as in_condition,
        ${filters.format === null ? sql`true` : sql`is_auction = ${filters.format === 'auction'}`} as in_format,
        ${filters.freeShipping === null ? sql`true` : sql`is_free`} as in_shipping
      from found
    )
    select 'size' as facet, '' as value, coalesce(sum(matches), 0)::integer as count from found
    union all
    select 'category', category_slug, sum(listings)::integer from chosen where in_condition and in_format and in_shipping group by 2
    union all
    select 'condition', condition, sum(listings)::integer from chosen where in_category and in_format and in_shipping group by 2
    union all
    select 'format', case when is_auction then 'auction' else 'fixed' end, sum(listings)::integer
    from chosen where in_category and in_condition and in_shipping group by 2
    union all
    select 'free_shipping', 'true', sum(listings)::integer
    from chosen where is_free and in_category and in_condition and in_format group by 2`.execute(db)
  const size = rows.find(({ facet }) => facet === 'size')?.count ?? 0
  if (size > maxCounted) return null
  const countsOf = (name: FacetName) =>
    new Map(rows.flatMap(({ facet, value, count }) => (facet === name ? [[value, count] as const] : [])))
  return {
    size,
    category: countsOf('category'),
    condition: countsOf('condition'),
    format: countsOf('format'),
    free_shipping: countsOf('free_shipping'),
  }
}

// Builds the query that selects the facet values (such as category and condition) of the matching listings. The column
// `listings` is the number of listings that a row represents: 1, or a count from the table `facet_counts`.
function foundFor(match: Match | null, base: Filters): RawBuilder<unknown> {
  if (match) return sql`${matches(match, base, facetColumns)} limit ${maxCounted + 1}`
  if (!hasPriceFilter(base) && fewFilters(base).length === 0)
    return sql`select category_slug, condition, is_auction, is_free, count as listings from facet_counts`
  const columns = sql`, category_slug, condition, shipping_cents = 0 as is_free, 1 as listings`
  return sql`${listingsWith(base, columns)} order by shown_price_cents limit ${maxCounted + 1}`
}

function isChosen(column: string, value: string | null): RawBuilder<unknown> {
  return value === null ? sql`true` : sql`${sql.ref(column)} = ${value}`
}
