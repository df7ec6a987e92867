import { CatalogService } from '@marketplace/contracts/gen/marketplace/catalog/v1/catalog_pb.ts'
import { rpcClient } from '@marketplace/kit/rpc.ts'
import { takePart } from '@marketplace/kit/personal-data.ts'
import { createService, openResources, type Service } from '@marketplace/kit/service.ts'
import { readArticles } from './chat/articles.ts'
import { openAssistant } from './chat/assistant.ts'
import { chatRoutes } from './chat/chat.routes.ts'
import type { MessagingSettings } from './config.ts'
import type { Context } from './context.ts'
import { conversationsRoutes } from './conversation/conversations.routes.ts'
import type { MessagingTables } from './db.ts'
import { messagesRoutes } from './message/messages.routes.ts'
import { personalData } from './personal-data/personal-data.ts'
import { openProfiles } from './profiles.ts'

export function createMessagingService(settings: MessagingSettings): Service {
  const resources = openResources<MessagingTables>('messaging', settings)
  const ctx: Context = {
    db: resources.db,
    settings,
    catalog: rpcClient(CatalogService, settings.CATALOG_INTERNAL_URL, settings.INTERNAL_SECRET),
    profiles: openProfiles(settings),
    articles: readArticles(),
    assistant: openAssistant(settings, resources.log),
  }
  const part = takePart(resources, personalData)
  return createService(resources, {
    consumers: [part.consumer],
    sweeps: [part.sweep],
    routes(app) {
      conversationsRoutes(app, ctx)
      messagesRoutes(app, ctx)
      chatRoutes(app, ctx)
    },
  })
}
