import { LRUCache } from 'lru-cache'
import type { Db } from '../db.ts'
import { readEstimates } from './estimates.repo.ts'

/**
 * Returns the estimated number of matching listings for each tsquery in `queries`, or 0 for each if there are too few
 * active listings to need an estimate. `listings` is the number of active listings according to Postgres' statistics.
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
 * Creates the function that estimates numbers of matches. An estimate takes about 1 ms, so it is cached for 5 minutes,
 * or until `listings` changes because Postgres has updated its statistics.
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
