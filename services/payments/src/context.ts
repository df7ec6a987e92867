import type { TtlCache } from '@marketplace/kit/cache/ttl-cache.ts'
import type { Log } from '@marketplace/kit/telemetry/log.ts'
import type { PaymentsSettings } from './config.ts'
import type { Db } from './db.ts'
import type { Provider } from './provider/provider.ts'
import type { InventoryClient } from './sale/inventory-service.ts'

/** Dependencies shared by all use cases of this service. */
export interface Context {
  db: Db
  log: Log
  settings: PaymentsSettings
  provider: Provider
  inventory: InventoryClient
  /** User names by user id, from the users service. */
  names: TtlCache<string>
}
