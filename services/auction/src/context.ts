import type { Log } from '@marketplace/kit/log.ts'
import type { AuctionSettings } from './config.ts'
import type { Db } from './db.ts'

/** What the use cases work with. */
export interface Context {
  db: Db
  log: Log
  settings: Pick<AuctionSettings, 'CLOSE_OVERDUE_MS' | 'WIN_DUE_MS'>
}
