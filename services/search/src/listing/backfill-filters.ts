import { gauge } from '@marketplace/kit/telemetry/metrics.ts'
import { createAdaptiveCache } from '../adaptive-cache.ts'
import type { Db } from '../db.ts'
import { backfillFilters, countUnfilled, isFilled } from './backfill-filters.repo.ts'

const remaining = gauge('search_backfill_remaining', 'Listings whose filter words are not written yet.')

/** Creates the sweep that writes missing filter words. After the last row it has nothing to do. */
export function createFilterBackfill(db: Db): () => Promise<number> {
  return async () => {
    const written = await backfillFilters(db)
    remaining.set(await countUnfilled(db))
    return written
  }
}

const forProcessLifetimeMs = 24 * 3_600_000
const retryMs = 1000

/** Creates the check whether the filters of migration 0013 can be used: whether the backfill is done. */
export function createAreFiltersReady(db: Db): () => Promise<boolean> {
  const cached = createAdaptiveCache(
    1,
    () => isFilled(db),
    (isReady) => (isReady ? forProcessLifetimeMs : retryMs),
  )
  return () => cached('all')
}
