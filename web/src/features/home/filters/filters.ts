import type { ListingFilters, Sort } from '../../../api/queries/queries.ts'
import { isCondition } from '../../../rules/listing.ts'
import { isFormat } from './active-filters.ts'
import { parseDollars, toDollars } from '../../../rules/money.ts'
import { truncate, maxTermLength } from '../../../rules/text.ts'

export const sortNames: Record<Sort, string> = {
  relevance: 'Best match',
  newest: 'Newest first',
  'ending-soon': 'Ending soon',
  'price-asc': 'Price: low to high',
  'price-desc': 'Price: high to low',
}

const textFilters = ['search', 'location'] as const
const priceFilters = ['minPrice', 'maxPrice'] as const
/** The URL parameters that the filter panel sets. */
export const panelParameters = [...priceFilters, 'condition', 'format', 'freeShipping', 'location'] as const
const filterNames = ['search', 'category', 'seller', ...panelParameters] as const

// A UUID of version 7. The API rejects any other seller id.
const idPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i

// The slug of a category. The API rejects any other category.
const categoryPattern = /^[\w-]{1,100}$/

/** Maximum price that the API accepts. */
const maxPriceCents = 999_999_999

/** Converts a price that the user entered to dollars in the API's format. Returns null if the price is invalid. */
export function readPrice(typed: string): string | null {
  const cents = parseDollars(typed)
  return cents === null || cents > maxPriceCents ? null : String(toDollars(cents))
}

export function isSort(value: string): value is Sort {
  return Object.hasOwn(sortNames, value)
}

/** Reads the filters for `GET /api/listings` from the page's URL. Ignores empty parameters and invalid values. */
export function readFilters(params: URLSearchParams): ListingFilters {
  const filters: ListingFilters = {}
  for (const name of textFilters) {
    const value = params.get(name)?.trim() ?? ''
    // The API rejects text that is longer than `maxTermLength` or contains NUL.
    if (value !== '' && !value.includes('\u0000')) filters[name] = truncate(value, maxTermLength)
  }
  const category = params.get('category')?.trim() ?? ''
  if (categoryPattern.test(category)) filters.category = category
  for (const name of priceFilters) {
    const price = readPrice(params.get(name) ?? '')
    if (price !== null) filters[name] = price
  }
  const condition = params.get('condition') ?? ''
  if (isCondition(condition)) filters.condition = condition
  const format = params.get('format')
  if (isFormat(format)) filters.format = format
  if (params.get('freeShipping') === 'true') filters.freeShipping = 'true'
  const seller = params.get('seller') ?? ''
  if (idPattern.test(seller)) filters.seller = seller
  const sort = params.get('sort') ?? ''
  if (isSort(sort)) filters.sort = sort
  return filters
}

export function hasFilters(filters: ListingFilters): boolean {
  return filterNames.some((name) => filters[name] !== undefined)
}

/** Returns a copy of the URL parameters with the changes applied. Null or an empty string removes a parameter. */
export function withParams(params: URLSearchParams, changes: Record<string, string | null>): URLSearchParams {
  const next = new URLSearchParams(params)
  for (const [name, value] of Object.entries(changes)) {
    if (value === null || value === '') next.delete(name)
    else next.set(name, value)
  }
  return next
}
