import type { ListingFilters, Sort } from '../../api/queries.ts'
import { isCondition } from '../../rules/listing.ts'
import { parseDollars, toDollars } from '../../rules/money.ts'
import { fitting, longestTerm } from '../../rules/text.ts'

export const sortNames: Record<Sort, string> = {
  relevance: 'Best match',
  newest: 'Newest first',
  'ending-soon': 'Ending soon',
  'price-asc': 'Price: low to high',
  'price-desc': 'Price: high to low',
}

const textFilters = ['search', 'category'] as const
const priceFilters = ['minPrice', 'maxPrice'] as const
const filterNames = [...textFilters, ...priceFilters, 'condition'] as const

/** The API refuses what is above it. */
const highestPriceCents = 999_999_999

/** An amount as the API takes it, of what a person typed; null for what is none. */
export function readPrice(typed: string): string | null {
  const cents = parseDollars(typed)
  return cents === null || cents > highestPriceCents ? null : String(toDollars(cents))
}

export function isSort(value: string): value is Sort {
  return Object.hasOwn(sortNames, value)
}

/** What the address asks of `GET /api/listings`; empty parameters, unknown prices, conditions and orders count as absent. */
export function readFilters(params: URLSearchParams): ListingFilters {
  const filters: ListingFilters = {}
  for (const name of textFilters) {
    const value = params.get(name)?.trim() ?? ''
    // Slugs are far shorter.
    if (value !== '') filters[name] = fitting(value, longestTerm)
  }
  for (const name of priceFilters) {
    const price = readPrice(params.get(name) ?? '')
    if (price !== null) filters[name] = price
  }
  const condition = params.get('condition') ?? ''
  if (isCondition(condition)) filters.condition = condition
  const sort = params.get('sort') ?? ''
  if (isSort(sort)) filters.sort = sort
  return filters
}

export function hasFilters(filters: ListingFilters): boolean {
  return filterNames.some((name) => filters[name] !== undefined)
}

/** The same address with some parameters changed; null takes one away. */
export function withParams(params: URLSearchParams, changes: Record<string, string | null>): URLSearchParams {
  const next = new URLSearchParams(params)
  for (const [name, value] of Object.entries(changes)) {
    if (value === null || value === '') next.delete(name)
    else next.set(name, value)
  }
  return next
}
