import type { KeptAnswers } from '@marketplace/kit/kept.ts'
import type { Log } from '@marketplace/kit/log.ts'
import type { PaymentsSettings } from './config.ts'
import type { Db } from './db.ts'
import type { Provider } from './provider/provider.ts'
import type { Owners } from './sale/owners.ts'

/** What the use cases work with. */
export interface Context {
  db: Db
  log: Log
  settings: PaymentsSettings
  provider: Provider
  owners: Owners
  /** Names of people, as users tells them. */
  names: KeptAnswers<string>
}
