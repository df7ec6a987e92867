import { openBus } from '@marketplace/bus/open-bus.ts'
import { UsersService } from '@marketplace/contracts/gen/marketplace/users/v1/users_pb.ts'
import { createTtlCache, type TtlCache } from '@marketplace/kit/cache/ttl-cache.ts'
import { createPersonalDataParticipant } from '@marketplace/kit/personal-data/personal-data.ts'
import { rpcClient } from '@marketplace/kit/rpc/rpc.ts'
import { createService, openResources, type Service } from '@marketplace/kit/app/service.ts'
import type { PaymentsSettings } from './config.ts'
import type { Context } from './context.ts'
import type { PaymentsTables } from './db.ts'
import { personalData } from './personal-data/personal-data.ts'
// Keep this import before those of other routes. The OpenAPI document lists components in import order.
import { checkoutRoutes } from './sale/checkout/checkout.routes.ts'
import { openProvider } from './provider/provider.ts'
import { providerRoutes } from './provider/provider.routes.ts'
import { createInventoryClient } from './sale/inventory-service.ts'
import { dueSalesConsumer } from './sale/events/due-sales.consumer.ts'
import { endingSalesConsumer } from './sale/events/ending-sales.consumer.ts'
import { deleteOldCheckouts } from './sale/checkout/old-checkouts.repo.ts'
import { transactionsRoutes } from './sale/transactions/transactions.routes.ts'
import { saleCollectors } from './sale/sale-collectors.ts'
import { sweepOverdueRefunds } from './refund/stuck-refunds.ts'
import { sweepDisputes, sweepRechecks } from './refund/sync-charge.ts'
import { sweepIntents } from './sale/orphans/read-new-intents.ts'
import { sweepSales } from './sale/sweep-sales.ts'
import { sweepWebhooks } from './webhook/process-webhook.ts'
import { deleteOldWebhooks } from './webhook/webhooks.repo.ts'
import { webhooksRoutes } from './webhook/webhooks.routes.ts'

const maxNames = 10_000
const cleanupIntervalMs = 60_000

export function createPaymentsService(settings: PaymentsSettings): Service {
  const resources = openResources<PaymentsTables>('payments', settings)
  const ctx: Context = {
    db: resources.db,
    log: resources.log,
    settings,
    provider: openProvider(settings),
    inventory: createInventoryClient(settings),
    names: openNames(settings),
  }
  const intervalMs = settings.SWEEP_INTERVAL_MS
  const part = createPersonalDataParticipant(resources, personalData)
  return createService(resources, {
    openBus,
    routes: (app) => {
      providerRoutes(app, ctx)
      transactionsRoutes(app, ctx)
      checkoutRoutes(app, ctx)
      // The webhook routes replace the body parser. They have their own scope, so that other routes keep the parser.
      app.register(async (scope) => webhooksRoutes(scope.withTypeProvider(), ctx))
    },
    collectors: saleCollectors(ctx),
    consumers: [dueSalesConsumer(ctx), endingSalesConsumer(ctx), part.consumer],
    sweeps: [
      part.sweep,
      { name: 'sales', intervalMs, sweep: () => sweepSales(ctx) },
      { name: 'overdue refunds', intervalMs, sweep: () => sweepOverdueRefunds(ctx) },
      { name: 'rechecks', intervalMs, sweep: () => sweepRechecks(ctx) },
      { name: 'disputes', intervalMs, sweep: () => sweepDisputes(ctx) },
      { name: 'intents', intervalMs: cleanupIntervalMs, sweep: () => sweepIntents(ctx) },
      { name: 'webhooks', intervalMs, sweep: () => sweepWebhooks(ctx) },
      {
        name: 'old webhooks',
        intervalMs: cleanupIntervalMs,
        sweep: () => deleteOldWebhooks(ctx.db, settings.WEBHOOK_RETENTION_MS),
      },
      { name: 'old checkouts', intervalMs: cleanupIntervalMs, sweep: () => deleteOldCheckouts(ctx.db) },
    ],
  })
}

function openNames(settings: PaymentsSettings): TtlCache<string> {
  const users = rpcClient(UsersService, settings.USERS_INTERNAL_URL, settings.INTERNAL_SECRET)
  return createTtlCache({
    ttlMs: settings.PROFILES_TTL_MS,
    max: maxNames,
    load: async (ids) => {
      const call = users.getProfiles({ userIds: [...ids] }, { timeoutMs: settings.PROFILES_TIMEOUT_MS })
      const { profiles } = await call
      return new Map(profiles.map(({ userId, name }) => [userId, name]))
    },
  })
}
