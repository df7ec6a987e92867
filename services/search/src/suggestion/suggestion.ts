import type { Category } from './categories.repo.ts'
import { searchTerm } from '../history/search-term.ts'

export const suggestionTypes = ['listing', 'category', 'search'] as const

export interface Suggestion {
  title: string
  type: (typeof suggestionTypes)[number]
  /** Slug of a category; null for other types. */
  slug: string | null
}

export interface Titles {
  searches: readonly string[]
  categories: readonly Category[]
  listings: readonly string[]
}

const maxSuggestions = 8
const maxSearches = 3
const maxCategories = 2

/** Returns suggestions in this order: trending searches, categories, listings. Removes duplicates, ignoring case. */
export function suggestionsFrom({ searches, categories, listings }: Titles): Suggestion[] {
  const seen = new Set<string>()
  const isNew = ({ title }: Suggestion) => {
    const { key } = searchTerm(title)
    return !seen.has(key) && seen.add(key)
  }
  return [
    ...searches.slice(0, maxSearches).map((title): Suggestion => ({ title, type: 'search', slug: null })),
    ...categories
      .slice(0, maxCategories)
      .map(({ name, slug }): Suggestion => ({ title: name, type: 'category', slug })),
    ...listings.map((title): Suggestion => ({ title, type: 'listing', slug: null })),
  ]
    .filter(isNew)
    .slice(0, maxSuggestions)
}
