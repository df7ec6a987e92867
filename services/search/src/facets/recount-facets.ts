import type { Db } from '../db.ts'
import { recountFacets } from './facet-counts.repo.ts'

/**
 * Creates the sweep that recounts the facets of all listings. Across all processes, it recounts at most once per
 * interval.
 */
export function createFacetRecount(db: Db, intervalMs: number): () => Promise<number> {
  return async () => {
    // A recount is due after 90 % of the interval, because the sweeps of several processes do not run exactly on time.
    await recountFacets(db, intervalMs * 0.9)
    return 0
  }
}
