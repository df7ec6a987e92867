import type { SearchSettings } from './config.ts'
import type { Db } from './db.ts'
import type { ReadExpansions } from './synonyms/read-expansions.ts'
import type { TrendingStore } from './trending/trending-store.ts'

export interface Context {
  settings: Pick<SearchSettings, 'PICTURES_ORIGIN'>
  db: Db
  trending: TrendingStore
  readExpansions: ReadExpansions
  /** Returns whether the filters by format, shipping, location and seller can be used. */
  areFiltersReady: () => Promise<boolean>
}
