import { LRUCache } from 'lru-cache'
import type { Db } from '../db.ts'
import { readEstimates } from './estimates.repo.ts'

/**
 * Returns the estimated number of listings that match a tsquery, for each of `queries`. `listings` is the number of
 * active listings according to Postgres' statistics. The estimate 0 means that none was made, because there are so few
 * active listings that an exact count is cheap.
 */
export type EstimateMatches = (
  db: Db,
  queries: readonly string[],
  listings: number,
) => Promise<ReadonlyMap<string, number>>

// The planner estimates the number of matches only if there are more active listings than this.
const maxUnestimated = 10_000
const maxCached = 10_000
const cachedMs = 5 * 60_000
const clock = { now: () => performance.now() }

/**
 * Creates the function that estimates numbers of matches. For each estimate, the planner reads the frequencies of 10,000
 * words, which takes about 1 ms. Estimates are therefore cached until Postgres updates its statistics, which usually
 * changes `listings`, and at most 5 minutes.
 */
export function createEstimateMatches(read = readEstimates): EstimateMatches {
  const cache = new LRUCache<string, number>({ max: maxCached, ttl: cachedMs, perf: clock, ttlResolution: 0 })
  return async (db, queries, listings) => {
    if (listings <= maxUnestimated) return new Map(queries.map((query) => [query, 0]))
    const keyOf = (query: string) => `${listings} ${query}`
    const estimates = new Map<string, number>()
    for (const query of queries) {
      const known = cache.get(keyOf(query))
      if (known !== undefined) estimates.set(query, known)
    }
    const missing = [...new Set(queries)].filter((query) => !estimates.has(query))
    if (missing.length === 0) return estimates
    for (const [index, matching] of (await read(db, missing)).entries()) {
      const query = missing[index] ?? ''
      cache.set(keyOf(query), matching)
      estimates.set(query, matching)
    }
    return estimates
  }
}
