import type { Filters } from '../browse/filters.ts'

/** An alternative to a search without results. */
export interface RecoveryStep {
  /**
   * How a suggested search differs from a search without results: `filter` omits one filter, `word` omits one word,
   * `category` shows all listings of a category.
   */
  kind: 'filter' | 'word' | 'category'
  /**
   * For `filter`, the name of the removed parameter (`price` for both bounds); for `word`, the remaining words; for
   * `category`, the category's name.
   */
  name: string
  /**
   * For `filter`, the removed value (empty for the price); for `word`, the removed word; for `category`, the category's
   * slug.
   */
  value: string
  /** Number of listings that the alternative finds, in the format of the header `X-Total-Count`. */
  total: string
}

/** Maximum number of alternative searches that are run for one request. */
export const maxSteps = 4

export interface DroppedFilter {
  name: string
  value: string
  filters: Filters
}

/** For each filter that is set, returns the filters of the request without that filter. */
export function dropFilters(filters: Filters, location: string | undefined): DroppedFilter[] {
  const { minPrice, maxPrice, condition, format, freeShipping, places, category, seller } = filters
  const hasPrice = minPrice !== null || maxPrice !== null
  const drops: (DroppedFilter | false)[] = [
    hasPrice && { name: 'price', value: '', filters: { ...filters, minPrice: null, maxPrice: null } },
    condition !== null && { name: 'condition', value: condition, filters: { ...filters, condition: null } },
    format !== null && { name: 'format', value: format, filters: { ...filters, format: null } },
    freeShipping !== null && { name: 'freeShipping', value: 'true', filters: { ...filters, freeShipping: null } },
    places !== null && { name: 'location', value: location ?? '', filters: { ...filters, places: null } },
    category !== null && { name: 'category', value: category, filters: { ...filters, category: null } },
    seller !== null && { name: 'seller', value: seller, filters: { ...filters, seller: null } },
  ]
  return drops.filter((drop) => drop !== false)
}

/** Removes a word, in Unicode normal form NFC, from a search. Returns null if no word is left. */
export function withoutWord(search: string, word: string): string | null {
  const left = search
    .normalize()
    .split(/\s+/)
    .filter((one) => one !== '' && one !== word)
  return left.length === 0 ? null : left.join(' ')
}
