import { UsersService } from '@marketplace/contracts/gen/marketplace/users/v1/users_pb.ts'
import { keptAnswers, type KeptAnswers } from '@marketplace/kit/kept.ts'
import { takePart } from '@marketplace/kit/personal-data.ts'
import { rpcClient } from '@marketplace/kit/rpc.ts'
import { createService, openResources, type Service } from '@marketplace/kit/service.ts'
import type { PaymentsSettings } from './config.ts'
import type { Context } from './context.ts'
import type { PaymentsTables } from './db.ts'
import { personalData } from './personal-data/personal-data.ts'
import { openProvider } from './provider/provider.ts'
import { openOwners } from './sale/owners.ts'
import { dueSales, endingSales } from './sale/sales.events.ts'
import { salesRoutes } from './sale/sales.routes.ts'
import { saleReadings } from './sale/sale-readings.ts'
import { sweepSales } from './sale/sweep-sales.ts'
import { sweepWebhooks } from './webhook/process-webhook.ts'
import { webhooksRoutes } from './webhook/webhooks.routes.ts'

const maxNames = 10_000

export function createPaymentsService(settings: PaymentsSettings): Service {
  const resources = openResources<PaymentsTables>('payments', settings)
  const ctx: Context = {
    db: resources.db,
    log: resources.log,
    settings,
    provider: openProvider(settings),
    owners: openOwners(settings),
    names: openNames(settings),
  }
  const everyMs = settings.SWEEP_EVERY_MS
  const part = takePart(resources, personalData)
  return createService(resources, {
    routes: (app) => {
      salesRoutes(ctx)(app)
      // A scope of its own, since it reads bodies in another way.
      app.register(async (scope) => webhooksRoutes(ctx)(scope.withTypeProvider()))
    },
    readings: saleReadings(ctx),
    consumers: [dueSales(ctx), endingSales(ctx), part.consumer],
    sweeps: [
      part.sweep,
      { name: 'sales', everyMs, sweep: () => sweepSales(ctx) },
      { name: 'webhooks', everyMs, sweep: () => sweepWebhooks(ctx) },
    ],
  })
}

function openNames(settings: PaymentsSettings): KeptAnswers<string> {
  const users = rpcClient(UsersService, settings.USERS_INTERNAL_URL, settings.INTERNAL_SECRET)
  return keptAnswers({
    keepMs: settings.PROFILES_KEEP_MS,
    max: maxNames,
    ask: async (ids) => {
      const call = users.getProfiles({ userIds: [...ids] }, { timeoutMs: settings.PROFILES_TIMEOUT_MS })
      const { profiles } = await call
      return new Map(profiles.map(({ userId, name }) => [userId, name]))
    },
  })
}
