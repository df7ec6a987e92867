import { AuctionService } from '@marketplace/contracts/gen/marketplace/auction/v1/auction_pb.ts'
import { UsersService } from '@marketplace/contracts/gen/marketplace/users/v1/users_pb.ts'
import { keptAnswers } from '@marketplace/kit/kept.ts'
import { rpcClient } from '@marketplace/kit/rpc.ts'
import { createService, openResources, type Service } from '@marketplace/kit/service.ts'
import { auctionNews } from './auction/auctions.events.ts'
import { liveAuctions } from './auction/live-auctions.ts'
import { categoriesRoutes } from './category/categories.routes.ts'
import type { CatalogSettings } from './config.ts'
import type { Context } from './context.ts'
import type { CatalogTables, Db } from './db.ts'
import { listingsRoutes } from './listing/listings.routes.ts'
import { listingsRpc } from './listing/listings.rpc.ts'
import { lapseOffers } from './offer/offers.repo.ts'
import { offersRoutes } from './offer/offers.routes.ts'
import { settledSales } from './sale/sales.events.ts'
import { salesRpc } from './sale/sales.rpc.ts'

export function createCatalogService(settings: CatalogSettings): Service {
  const resources = openResources<CatalogTables>('catalog', settings)
  const ctx = openContext(resources.db, settings)
  return createService(resources, {
    routes: (app) => {
      categoriesRoutes(ctx)(app)
      listingsRoutes(ctx)(app)
      offersRoutes(ctx)(app)
    },
    rpc: (router) => {
      listingsRpc(ctx)(router)
      salesRpc(ctx)(router)
    },
    consumers: [auctionNews, settledSales],
    sweeps: [{ name: 'lapsed offers', everyMs: settings.SWEEP_OFFERS_MS, sweep: () => lapseOffers(ctx.db) }],
  })
}

// Names in memory; some 100 bytes each.
const maxNames = 10_000

function openContext(db: Db, settings: CatalogSettings): Context {
  const auctions = rpcClient(AuctionService, settings.AUCTION_INTERNAL_URL, settings.INTERNAL_SECRET)
  const users = rpcClient(UsersService, settings.USERS_INTERNAL_URL, settings.INTERNAL_SECRET)
  const names = keptAnswers({
    keepMs: settings.KEEP_PROFILES_MS,
    max: maxNames,
    async ask(ids) {
      const { profiles } = await users.getProfiles({ userIds: [...ids] }, { timeoutMs: settings.READ_PROFILES_MS })
      return new Map(profiles.map(({ userId, name }) => [userId, name]))
    },
  })
  return { db, settings, auctions, names, liveAuctions: liveAuctions(auctions, settings.READ_AUCTIONS_MS) }
}
