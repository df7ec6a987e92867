import type { Log } from '@marketplace/kit/telemetry/log.ts'
import type { UsersSettings } from './config.ts'
import type { Db } from './db.ts'
import type { Secrets } from './secrets.ts'
import type { IdentityProvider } from './sign-in/identity-provider.ts'

/** Dependencies shared by all use cases of this service. */
export interface Context {
  db: Db
  log: Log
  settings: UsersSettings
  secrets: Secrets
  provider: IdentityProvider
}
