import type { Category } from '../../../api/client/types.ts'
import type { ListingFilters } from '../../../api/queries/queries.ts'
import { conditionNames, isCondition } from '../../../rules/listing.ts'
import { formatCents, parseDollars } from '../../../rules/money.ts'

/** A filter that is set, with the texts that its chip shows. */
export interface ActiveFilter {
  name: string
  /** Null if the name alone describes the filter. */
  value: string | null
  /** The URL parameters that set the filter. */
  parameters: readonly string[]
}

export const formatNames = { auction: 'Auction', fixed: 'Fixed price' } as const

export function isFormat(value: string | null | undefined): value is keyof typeof formatNames {
  return value === 'auction' || value === 'fixed'
}

/** Returns the filters that are set, except the search term. A price range is one filter. */
export function activeFilters(filters: ListingFilters, categories: readonly Category[]): ActiveFilter[] {
  const { category, condition, format, freeShipping, location, seller } = filters
  const price = priceRange(filters)
  const all: (ActiveFilter | false)[] = [
    category !== undefined && {
      name: 'Category',
      value: categories.find(({ slug }) => slug === category)?.name ?? category,
      parameters: ['category'],
    },
    price !== null && { name: 'Price', value: price, parameters: ['minPrice', 'maxPrice'] },
    condition !== undefined && {
      name: 'Condition',
      value: isCondition(condition) ? conditionNames[condition] : condition,
      parameters: ['condition'],
    },
    isFormat(format) && { name: 'Format', value: formatNames[format], parameters: ['format'] },
    freeShipping !== undefined && { name: 'Free shipping', value: null, parameters: ['freeShipping'] },
    location !== undefined && { name: 'Location', value: location, parameters: ['location'] },
    seller !== undefined && { name: 'One seller', value: null, parameters: ['seller'] },
  ]
  return all.filter((filter) => filter !== false)
}

function priceRange({ minPrice, maxPrice }: ListingFilters): string | null {
  if (minPrice !== undefined && maxPrice !== undefined) return `${shortPrice(minPrice)}–${shortPrice(maxPrice)}`
  if (minPrice !== undefined) return `from ${shortPrice(minPrice)}`
  return maxPrice === undefined ? null : `up to ${shortPrice(maxPrice)}`
}

// Formats a price, without cents if they are zero.
function shortPrice(dollars: string): string {
  return formatCents(parseDollars(dollars) ?? 0).replace(/\.00$/, '')
}
