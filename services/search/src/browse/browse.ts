import type { Filters } from './filters.ts'

export const sorts = ['relevance', 'newest', 'ending-soon', 'price-asc', 'price-desc'] as const
export type Sort = (typeof sorts)[number]

/** A request for one page of listings. */
export interface Browse {
  search: string | null
  filters: Filters
  sort: Sort
  limit: number
  /** Position of the last listing on the previous page; null for the first page. */
  after: Position | null
}

export function hasPriceFilter({ minPrice, maxPrice }: Pick<Filters, 'minPrice' | 'maxPrice'>): boolean {
  return minPrice !== null || maxPrice !== null
}

/** Sort key of a listing in creation order: `at` is an ISO 8601 time, and the id breaks ties. */
export interface CreationKey {
  at: string
  id: string
}

/**
 * Position of a listing in the sorted results: the segment (part of the results) that contains the listing, and the
 * listing's sort key in that segment. A page cursor is an encoded position.
 */
export type Position =
  | ({ in: 'newest' | 'ending' | 'not-ending' | 'beyond-relevant' | 'related' } & CreationKey)
  | { in: 'cheapest' | 'dearest'; cents: number; id: string }
  // Only the listings created between `oldest` and `newest` are ranked. All pages of a result have the same two bounds,
  // so that they rank the same listings.
  | { in: 'relevant'; rank: number; id: string; newest: CreationKey; oldest: CreationKey }

export type Segment = Position['in']

// The segments of each sort order, which are read one after the other. Each segment has its own sort key and index.
const segments: Record<Sort, readonly Segment[]> = {
  relevance: ['relevant', 'beyond-relevant', 'related'],
  newest: ['newest'],
  'ending-soon': ['ending', 'not-ending'],
  'price-asc': ['cheapest'],
  'price-desc': ['dearest'],
}

/** Returns the sort order to use. Without search words, `relevance` is replaced by `newest`. */
export function sortFor(sort: Sort | null, search: string | null): Sort {
  if (search === null) return sort === null || sort === 'relevance' ? 'newest' : sort
  return sort ?? 'relevance'
}

/**
 * Returns the segments (parts) of a sort order that are still to be read: the segment that contains the position, and
 * all later segments. Returns null if the position belongs to another sort order.
 */
export function segmentsFrom(sort: Sort, position: Position | null): readonly Segment[] | null {
  const all = segments[sort]
  if (position === null) return all
  const index = all.indexOf(position.in)
  return index === -1 ? null : all.slice(index)
}
