import { openBus } from '@marketplace/bus/open-bus.ts'
import { CatalogService } from '@marketplace/contracts/gen/marketplace/catalog/v1/catalog_pb.ts'
import { deleteEndedBlocks } from '@marketplace/kit/blocks/block-projection.ts'
import { rpcClient } from '@marketplace/kit/rpc/rpc.ts'
import { createPersonalDataParticipant } from '@marketplace/kit/personal-data/personal-data.ts'
import { createService, openResources, type Service } from '@marketplace/kit/app/service.ts'
import type { OpenAI } from 'openai'
import { memberBlocksConsumer } from './block/member-blocks.consumer.ts'
import { paidConversationsConsumer } from './block/paid-conversations.consumer.ts'
import { deleteOldPaidSales } from './block/paid-sales.repo.ts'
import { readArticles } from './chat/articles.ts'
import { createAssistant } from './chat/assistant.ts'
import { countCall } from './chat/call-budget.repo.ts'
import { limitCalls } from './chat/call-budget.ts'
import { chatRoutes } from './chat/chat.routes.ts'
import { checkModel } from './chat/check-model.ts'
import { createProvider } from './chat/provider.ts'
import type { MessagingSettings } from './config.ts'
import type { Context } from './context.ts'
import { conversationsRoutes } from './conversation/conversations.routes.ts'
import type { MessagingTables } from './db.ts'
import { messagesRoutes } from './message/messages.routes.ts'
import { personalData } from './personal-data/personal-data.ts'
import { createProfileCache } from './profiles.ts'
import { deleteOldReplies } from './reply-time/replies.repo.ts'
import { replyTimesRoutes } from './reply-time/reply-times.routes.ts'

// Interval of the sweeps that delete old rows.
const deletionIntervalMs = 60_000

export function createMessagingService(settings: MessagingSettings): Service {
  const resources = openResources<MessagingTables>('messaging', settings)
  const provider = createProvider(settings)
  const countChatCall = () => countCall(resources.db, settings.MAX_CHAT_CALLS_PER_HOUR)
  const ctx: Context = {
    db: resources.db,
    settings,
    catalog: rpcClient(CatalogService, settings.CATALOG_INTERNAL_URL, settings.INTERNAL_SECRET),
    profiles: createProfileCache(settings),
    articles: readArticles(),
    assistant: provider && createAssistant(limitCalls(provider, countChatCall), settings, resources.log),
  }
  const part = createPersonalDataParticipant(resources, personalData)
  const service = createService(resources, {
    openBus,
    consumers: [memberBlocksConsumer, paidConversationsConsumer, part.consumer],
    sweeps: [
      part.sweep,
      { name: 'ended blocks', intervalMs: deletionIntervalMs, sweep: () => deleteEndedBlocks(ctx.db) },
      { name: 'old reply times', intervalMs: deletionIntervalMs, sweep: () => deleteOldReplies(ctx.db) },
      { name: 'old paid sales', intervalMs: deletionIntervalMs, sweep: () => deleteOldPaidSales(ctx.db) },
    ],
    routes(app) {
      conversationsRoutes(app, ctx)
      messagesRoutes(app, ctx)
      replyTimesRoutes(app, ctx)
      chatRoutes(app, ctx)
    },
  })
  return provider ? withModelCheck(service, provider, settings) : service
}

// Checks the model after the service has started. The start does not wait for the check, because the chat works with
// help articles if the provider is unavailable.
function withModelCheck(service: Service, provider: OpenAI, settings: MessagingSettings): Service {
  const stopping = new AbortController()
  const { OPENAI_MODEL: model, MODEL_CHECK_TIMEOUT_MS: timeoutMs } = settings
  return {
    ...service,
    async start() {
      await service.start()
      void checkModel({ provider, model, timeoutMs, stopping: stopping.signal, log: service.log }, new Date())
    },
    async stop() {
      stopping.abort()
      await service.stop()
    },
  }
}
