import { gauge } from '@marketplace/kit/telemetry/metrics.ts'
import { createAdaptiveCache } from '../adaptive-cache.ts'
import type { Db } from '../db.ts'
import { backfillFilters, countUnfilled, isFilled } from './backfill-filters.repo.ts'

const remaining = gauge('search_backfill_remaining', 'Listings whose filter words are not written yet.')

/** Creates the sweep that fills in missing filter words, one batch of rows per run. */
export function createFilterBackfill(db: Db): () => Promise<number> {
  return async () => {
    const written = await backfillFilters(db)
    remaining.set(await countUnfilled(db))
    return written
  }
}

const forProcessLifetimeMs = 24 * 3_600_000
const retryMs = 1000

/**
 * Creates the function that returns whether the backfill of migration 0013 is complete. Until then, the filters that
 * the migration added cannot be used.
 */
export function createAreFiltersReady(db: Db): () => Promise<boolean> {
  const cached = createAdaptiveCache(
    1,
    () => isFilled(db),
    (isReady) => (isReady ? forProcessLifetimeMs : retryMs),
  )
  return () => cached('all')
}
