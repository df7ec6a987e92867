import type { Db } from '../db.ts'
import { createAdaptiveCache } from '../adaptive-cache.ts'
import { readMostCounted } from './counts.repo.ts'
import { maxTrending, type TrendingStore } from './trending-store.ts'

/** Trending store that counts the searches in Postgres. Each process caches the result for a short time. */
export function postgresTrending(db: Db): TrendingStore {
  const readTerms = createAdaptiveCache(1, () => readMostCounted(db, maxTrending))
  return {
    top: async (limit) => (await readTerms('all')).slice(0, limit),
  }
}
