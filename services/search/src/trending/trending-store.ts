/** A source of the trending terms of the last 24 hours. The counted searches themselves are stored in Postgres. */
export interface TrendingStore {
  /**
   * Returns the most counted terms, highest count first. If counts are equal, the term that was counted most recently
   * comes first.
   */
  top(limit: number): Promise<string[]>
}

/** Maximum number of terms that a store caches. */
export const maxTrending = 500
