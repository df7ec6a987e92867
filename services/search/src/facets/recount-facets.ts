import type { Db } from '../db.ts'
import { recountFacets } from './facet-counts.repo.ts'

/**
 * Creates the sweep that recounts the facets of all listings. Across all processes, it recounts at most once per
 * interval.
 */
export function createFacetRecount(db: Db, intervalMs: number): () => Promise<number> {
  return async () => {
    // A recount is due after 90 % of the interval, so that a sweep that runs slightly early does not skip its recount.
    await recountFacets(db, intervalMs * 0.9)
    return 0
  }
}
