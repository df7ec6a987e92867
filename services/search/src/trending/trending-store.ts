/**
 * The trending terms of the last 24 hours. The counted searches are stored in Postgres with the search history. A store
 * is only a copy, so an empty store can be filled again.
 */
export interface TrendingStore {
  /**
   * Returns the most counted terms, highest count first. Terms with equal counts are ordered by their last count,
   * newest first.
   */
  top(limit: number): Promise<string[]>
}

/** Maximum number of terms that a store caches. */
export const maxTrending = 500
