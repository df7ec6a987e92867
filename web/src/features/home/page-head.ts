import type { ListingFilters } from '../../api/queries.ts'
import type { Category } from '../../api/types.ts'
import { usualDescription } from '../../rules/site.ts'
import { hasFilters } from './filters.ts'

type Head = { title: string; description: string }

/** The address of the page without what only narrows or sorts it. */
export function pathOf({ search, category }: ListingFilters): string {
  if (search !== undefined) return `/?${new URLSearchParams({ search })}`
  return category === undefined ? '/' : `/?${new URLSearchParams({ category })}`
}

/** A search names the page before a category does. */
export function headOf(filters: ListingFilters, categories: Category[]): Head {
  if (filters.search !== undefined) {
    return {
      title: `${filters.search} for Sale`,
      description: `Find ${filters.search} for sale on Marketplace, at a fixed price or in a live auction.`,
    }
  }
  if (filters.category !== undefined) {
    const category = categories.find((candidate) => candidate.slug === filters.category)
    const name = category?.name ?? filters.category
    return { title: `${name} for Sale`, description: category?.description ?? `Find ${name} for sale on Marketplace.` }
  }
  if (hasFilters(filters))
    return { title: 'Filtered Listings', description: 'Listings on Marketplace that match your filters.' }
  return { title: 'Marketplace: buy, bid and sell', description: usualDescription }
}
