/** One line of the suggestion list: the term to search for and its source. */
export interface Suggestion {
  term: string
  kind: 'recent' | 'trending' | 'suggestion' | 'category'
  /** Slug of a category. If set, choosing the suggestion opens the category instead of a search. */
  slug?: string
}

const maxPerSource = 5
const maxShown = 8

function withoutDuplicates(suggestions: Suggestion[]): Suggestion[] {
  const seen = new Set<string>()
  return suggestions.filter(({ term }) => {
    const isNew = !seen.has(term.toLowerCase())
    seen.add(term.toLowerCase())
    return isNew
  })
}

interface Term {
  search_term: string
}

/**
 * Returns the suggestions for an empty box: up to 5 recent terms, then up to 5 trending terms. At most 8 in total, without
 * duplicates.
 */
export function defaultSuggestions(recent: Term[], trending: Term[]): Suggestion[] {
  const suggestions: Suggestion[] = [
    ...recent.slice(0, maxPerSource).map(({ search_term: term }) => ({ term, kind: 'recent' as const })),
    ...trending.slice(0, maxPerSource).map(({ search_term: term }) => ({ term, kind: 'trending' as const })),
  ]
  return withoutDuplicates(suggestions).slice(0, maxShown)
}

export function toSuggestions(titles: { title: string; slug?: string | null }[]): Suggestion[] {
  const suggestions = titles.map(({ title: term, slug }): Suggestion => {
    return slug ? { term, kind: 'category', slug } : { term, kind: 'suggestion' }
  })
  return withoutDuplicates(suggestions).slice(0, maxShown)
}
