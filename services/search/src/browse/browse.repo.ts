import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../db.ts'
import { withoutEstimate } from '../without-estimate.repo.ts'
import { hasPriceFilter, type Browse, type Position, type Segment } from './browse.ts'
import type { MatchRequest } from './find-match.ts'
import { priceFilters } from './filters.ts'
import { conditionOf, matches, matchKindOf, type Match } from './matches.repo.ts'
import { maxRanked, maxRankedCommon, readRelevant, type PageRead } from './relevance.repo.ts'
import {
  foundFor,
  laterViews,
  listingsWith,
  newestWords,
  shown,
  sortColumns,
  totalOf,
  type FoundListing,
  type FoundRow,
  type Selection,
  type SortColumn,
} from './selection.repo.ts'

export interface SegmentRead extends PageRead {
  segment: Segment
}

type ScannedSegment = Exclude<Segment, 'relevant'>

interface ScanOrder {
  key: SortColumn
  direction: 'asc' | 'desc'
  only?: RawBuilder<unknown>
}

const newestFirst: ScanOrder = { key: 'created_at', direction: 'desc' }
const scanOrders: Record<ScannedSegment, ScanOrder> = {
  newest: newestFirst,
  'beyond-relevant': newestFirst,
  related: newestFirst,
  ending: { key: 'auction_end_at', direction: 'asc', only: sql`is_auction` },
  'not-ending': { ...newestFirst, only: sql`not is_auction` },
  cheapest: { key: 'shown_price_cents', direction: 'asc' },
  dearest: { key: 'shown_price_cents', direction: 'desc' },
}

/**
 * Reads the next listings of a segment (a part of the sorted result). Starts after the position `read.after`, or at the
 * first listing if `read.after` is null.
 */
export async function readSegment(db: Db, selection: Selection, read: SegmentRead): Promise<FoundListing[]> {
  const { segment, ...page } = read
  if (segment !== 'relevant') return readOrderedScan(db, selection, segment, page)
  const { match, filters } = selection
  return match ? readRelevant(db, match, filters, page) : []
}

/** Returns whether all matches were ranked by relevance, so that the segment `beyond-relevant` is empty. */
export function areAllRanked(match: Match | null, relevant: readonly FoundListing[]): boolean {
  return match !== null && match.scanLimit === null && (relevant[0]?.total ?? 0) <= maxRanked
}

// Cost of a scanned row relative to a row of an index lookup, measured with 1,000,000 listings.
const ageScanRowCost = 0.25
const priceScanRowCost = 2
// Cost in the order `relevance`; low, because a scan ranks fewer matches than an index lookup.
const relevanceScanRowCost = 0.15

// Searches with at most this many matches always use the index lookup.
const maxLookedUp = { relevance: 4000, 'ending-soon': 10_000 }

/**
 * Returns, for a sort order and a page size, the rules that decide how a search reads its matches: by an index lookup,
 * or by scanning listings in the sort order.
 */
export function readRulesOf({ sort, limit }: Pick<Browse, 'sort' | 'limit'>): Pick<MatchRequest, 'direct' | 'related'> {
  const isByPrice = sort === 'price-asc' || sort === 'price-desc'
  const lookupLimit = sort === 'ending-soon' ? maxLookedUp[sort] : 0
  const rule = { limit: limit + 1, lookupLimit, scanRowCost: isByPrice ? priceScanRowCost : ageScanRowCost }
  if (sort !== 'relevance') return { direct: rule, related: rule }
  const direct = { limit: maxRankedCommon, lookupLimit: maxLookedUp[sort], scanRowCost: relevanceScanRowCost }
  return { direct, related: rule }
}

/** Counts the selected listings up to `limit`. */
export async function countListings(db: Db, { match, filters }: Selection, limit: number): Promise<number> {
  // The sort order makes the planner use an index that contains all filtered columns.
  const key = hasPriceFilter(filters) ? sql`shown_price_cents` : sql`created_at`
  const counted = match ? matches(match, filters) : sql`${listingsWith(filters)} order by ${key}`
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (${counted} limit ${limit}) as found`.execute(db)
  return rows[0]?.count ?? 0
}

async function readOrderedScan(
  db: Db,
  selection: Selection,
  segment: ScannedSegment,
  { after, limit }: PageRead,
): Promise<FoundListing[]> {
  const { key, direction, only = sql`true` } = scanOrders[segment]
  const { match } = selection
  const beyond = direction === 'asc' ? sql`>` : sql`<`
  const order = sql`${sql.ref(key)} ${sql.raw(direction)}, id ${sql.raw(direction)}`
  const start = after && sql`(${keyOf(after)}, ${after.id}::uuid)`
  const isAfter = (keys: string) => (start ? sql`(${sql.raw(keys)}) ${beyond} ${start}` : sql`true`)
  const scanned =
    key === 'created_at'
      ? newestWords(isAfter('listed_at, listing_id'))
      : sql`select ${sortColumns} from listings
          where is_active and ${only} and ${isInRange(key, selection)} and ${isAfter(`${key}, id`)} order by ${order}`
  const { rows } = await sql<FoundRow>`
    with found as ${foundFor(selection, key, scanned)}
    select ${shown}, ${laterViews}, ${totalOf(selection)} as total, ${matchKindOf(match)} as match from (
      select id from found where ${only} and ${isAfter(`${key}, id`)} order by ${order} limit ${match ? withoutEstimate(limit, 'bigint') : limit}
    ) as page join listings using (id)
    order by ${order}`.execute(db)
  return rows.map((row) => ({ row, position: positionIn(segment, row), total: row.total, match: row.match }))
}

// Restricts a scan by price to the prices of the price filter.
function isInRange(key: SortColumn, { filters }: Selection): RawBuilder<unknown> {
  const prices = key === 'shown_price_cents' ? priceFilters(filters, key) : []
  return prices.length === 0 ? sql`true` : sql.join(prices.map(conditionOf), sql` and `)
}

function keyOf(position: Position): RawBuilder<unknown> {
  if ('cents' in position) return sql`${position.cents}::integer`
  return sql`${'at' in position ? position.at : position.oldest.at}::timestamptz`
}

function positionIn(
  segment: ScannedSegment,
  { id, created_at, auction_end_at, shown_price_cents: cents }: FoundRow,
): Position {
  if (segment === 'cheapest' || segment === 'dearest') return { in: segment, cents, id }
  const at = segment === 'ending' && auction_end_at ? auction_end_at : created_at
  return { in: segment, at: at.toISOString(), id }
}
