/**
 * A cache of the trending terms of the last 24 hours. Postgres stores all counted searches with the search history, so
 * an empty cache can be filled again from Postgres.
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
