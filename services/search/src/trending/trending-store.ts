/** A source of the trending terms of the last 24 hours. The counted searches themselves are stored in Postgres. */
export interface TrendingStore {
  /**
   * Returns the most counted terms, highest count first. If counts are equal, the term that was counted most recently
   * comes first.
   */
  top(limit: number): Promise<string[]>
}

/**
 * Number of terms requested from a store. More than the ten shown, because blocked and unmatched terms are left out,
 * and because suggestions are selected from all of them.
 */
export const maxTrending = 500
