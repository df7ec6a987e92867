/** The terms of the last 24 hours. Never the only one who knows: every count lies in the history, and a store that lost its own is filled from there. */
export interface TrendingStore {
  /** The terms with most counts, most first; of as many, the newest first. */
  top(limit: number): Promise<string[]>
}

/** How many terms a store keeps an answer of. */
export const maxTrending = 500
