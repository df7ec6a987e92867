import type { Client } from '@connectrpc/connect'
import type { CatalogService } from '@marketplace/contracts/gen/marketplace/catalog/v1/catalog_pb.ts'
import type { KeptAnswers } from '@marketplace/kit/kept.ts'
import type { Article } from './chat/articles.ts'
import type { Assistant } from './chat/assistant.ts'
import type { MessagingSettings } from './config.ts'
import type { Db } from './db.ts'
import type { Profile } from './profiles.ts'

/** What the use cases of this service share. */
export interface Context {
  db: Db
  settings: MessagingSettings
  catalog: Client<typeof CatalogService>
  profiles: KeptAnswers<Profile>
  articles: readonly Article[]
  /** Null without a provider. */
  assistant: Assistant | null
}
