import type { Cents } from '@marketplace/kit/money.ts'

export const sorts = ['relevance', 'newest', 'ending-soon', 'price-asc', 'price-desc'] as const
export type Sort = (typeof sorts)[number]

/** What someone looks for. */
export interface Browse {
  search: string | null
  filters: Filters
  sort: Sort
  limit: number
  /** The last listing of the page before. */
  after: Position | null
}

export interface Filters {
  category: string | null
  condition: string | null
  minPrice: Cents | null
  maxPrice: Cents | null
}

export function isFiltered(filters: Filters): boolean {
  return Object.values(filters).some((filter) => filter !== null)
}

export function hasPrices({ minPrice, maxPrice }: Filters): boolean {
  return minPrice !== null || maxPrice !== null
}

/** A listing's place in the order of creation. */
export interface Place {
  at: string
  id: string
}

/** A place in one stretch of an order. */
export type Position =
  | ({ in: 'newest' | 'ending' | 'not-ending' | 'beyond-relevant' } & Place)
  | { in: 'cheapest' | 'dearest'; cents: number; id: string }
  // Listings are ranked within these bounds, which stay the same from page to page.
  | { in: 'relevant'; rank: number; id: string; newest: Place; oldest: Place }

export type Stretch = Position['in']

// An order is walked stretch by stretch; each has its own key and index.
const stretches: Record<Sort, readonly Stretch[]> = {
  relevance: ['relevant', 'beyond-relevant'],
  newest: ['newest'],
  'ending-soon': ['ending', 'not-ending'],
  'price-asc': ['cheapest'],
  'price-desc': ['dearest'],
}

/** Relevance needs words. */
export function sortFor(sort: Sort | null, search: string | null): Sort {
  if (search === null) return sort === null || sort === 'relevance' ? 'newest' : sort
  return sort ?? 'relevance'
}

/** The stretches that are left from this position on; null when it belongs to another order. */
export function stretchesFrom(sort: Sort, position: Position | null): readonly Stretch[] | null {
  const all = stretches[sort]
  if (position === null) return all
  const index = all.indexOf(position.in)
  return index === -1 ? null : all.slice(index)
}
