/**
 * The trending terms of the last 24 hours. Not the source of truth: counts are stored in the search history, and an empty store is
 * rebuilt from it.
 */
export interface TrendingStore {
  /** Returns the terms with the most counts, highest count first; among equal counts, the most recently counted first. */
  top(limit: number): Promise<string[]>
}

/** Maximum number of terms that a store caches. */
export const maxTrending = 500
