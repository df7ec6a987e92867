import type { Db } from './db.ts'
import type { ReadExpansions } from './synonyms/read-expansions.ts'
import type { TrendingStore } from './trending/trending-store.ts'

export interface Context {
  db: Db
  trending: TrendingStore
  readExpansions: ReadExpansions
}
