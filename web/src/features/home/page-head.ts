import type { ListingFilters } from '../../api/queries/queries.ts'
import type { Category } from '../../api/client/types.ts'
import { defaultDescription } from '../../rules/site.ts'
import { hasFilters } from './filters/filters.ts'

interface Head {
  title: string
  description: string
}

/** Returns the canonical path of the home page, with only the search term or, without a term, the category. */
export function canonicalPath({ search, category }: ListingFilters): string {
  if (search !== undefined) return `/?${new URLSearchParams({ search })}`
  return category === undefined ? '/' : `/?${new URLSearchParams({ category })}`
}

/** Returns the title and description of the home page, which name the search term or, without one, the category. */
export function homeHead(filters: ListingFilters, categories: Category[]): Head {
  if (filters.search !== undefined) {
    return {
      title: `${filters.search} for Sale`,
      description: `Shop ${filters.search} on Marketplace. Buy now or bid in a live auction.`,
    }
  }
  if (filters.category !== undefined) {
    const category = categories.find((candidate) => candidate.slug === filters.category)
    const name = category?.name ?? filters.category
    return {
      title: `${name} for Sale`,
      description: category?.description ?? `Shop ${name} on Marketplace. Buy now or bid in a live auction.`,
    }
  }
  if (hasFilters(filters))
    return { title: 'Filtered Listings', description: 'Listings on Marketplace that match your filters.' }
  return { title: 'Marketplace: buy, bid and sell', description: defaultDescription }
}
