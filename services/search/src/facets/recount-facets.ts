import type { Db } from '../db.ts'
import { recountFacets } from './facet-counts.repo.ts'

/**
 * Creates the sweep that recounts the facets of all listings. Across all processes, it recounts at most once per
 * interval.
 */
export function createFacetRecount(db: Db, intervalMs: number): () => Promise<number> {
  return async () => {
    // A recount is due after 90 % of the interval. At 100 %, a sweep that runs slightly early would skip its recount,
    // and the next recount would come almost an interval late.
    await recountFacets(db, intervalMs * 0.9)
    return 0
  }
}
