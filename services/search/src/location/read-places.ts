import { createAdaptiveCache } from '../adaptive-cache.ts'
import type { Db } from '../db.ts'
import { readPlaces } from './places.repo.ts'

export type ReadPlaces = (location: string) => Promise<readonly string[]>

const maxCached = 5000
// Cached for 10 minutes only: the words are sorted by estimated rarity, which changes as listings change.
const cachedMs = 10 * 60_000

/** Creates the function that returns the filter words for a location, the rarest first. */
export function createReadPlaces(db: Db): ReadPlaces {
  return createAdaptiveCache(
    maxCached,
    (location: string) => readPlaces(db, location),
    () => cachedMs,
  )
}
