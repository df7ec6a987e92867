/**
 * The trending terms of the last 24 hours. A store is only a copy: the counts themselves are stored in Postgres with
 * the search history, and an empty store is rebuilt from them.
 */
export interface TrendingStore {
  /** Returns the terms with the most counts, highest count first; among equal counts, the most recently counted first. */
  top(limit: number): Promise<string[]>
}

/** Maximum number of terms that a store caches. */
export const maxTrending = 500
