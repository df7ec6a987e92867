import type { Db } from '../db.ts'
import { recountFacets } from './facet-counts.repo.ts'

/** Creates the sweep that recounts the facets of all listings at most once per interval, whatever the number of processes. */
export function createFacetRecount(db: Db, intervalMs: number): () => Promise<number> {
  return async () => {
    // The sweeps of several processes drift, so a count is due slightly earlier than after the interval.
    await recountFacets(db, intervalMs * 0.9)
    return 0
  }
}
