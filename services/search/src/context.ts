import type { FindListings } from './browse/find-listings.ts'
import type { SearchSettings } from './config.ts'
import type { Db } from './db.ts'
import type { EstimateMatches } from './estimate/estimate-matches.ts'
import type { ReadPlaces } from './location/read-places.ts'
import type { ReadExpansions } from './synonyms/read-expansions.ts'
import type { TrendingStore } from './trending/trending-store.ts'

export interface Context {
  settings: Pick<SearchSettings, 'PICTURES_ORIGIN' | 'MAX_COUNTED_TERMS_PER_HOUR'>
  db: Db
  trending: TrendingStore
  readExpansions: ReadExpansions
  readPlaces: ReadPlaces
  estimateMatches: EstimateMatches
  findListings: FindListings
  /**
   * Returns whether the filters by format, shipping, location and seller can be used. They cannot be used until the
   * backfill of migration 0013 is complete.
   */
  areFiltersReady: () => Promise<boolean>
}
