import type { Client } from '@connectrpc/connect'
import type { CatalogService } from '@marketplace/contracts/gen/marketplace/catalog/v1/catalog_pb.ts'
import type { TtlCache } from '@marketplace/kit/cache/ttl-cache.ts'
import type { Article } from './chat/articles.ts'
import type { Assistant } from './chat/assistant.ts'
import type { MessagingSettings } from './config.ts'
import type { Db } from './db.ts'
import type { Profile } from './profiles.ts'

/** Dependencies shared by the use cases. */
export interface Context {
  db: Db
  settings: MessagingSettings
  catalog: Client<typeof CatalogService>
  profiles: TtlCache<Profile>
  articles: readonly Article[]
  /** Null when no provider is configured. */
  assistant: Assistant | null
}
