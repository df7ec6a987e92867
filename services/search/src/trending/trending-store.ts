import type { SearchTerm } from '../history/search-term.ts'

/** The terms of the last 24 hours. Never the only one who knows: every count lies in the history, and a store that lost its own is filled from there. */
export interface TrendingStore {
  /** One more count of a term; the history has it already, and has judged that it counts. */
  record(term: SearchTerm): Promise<void>
  /** The terms with most counts, most first. */
  top(limit: number): Promise<string[]>
}
