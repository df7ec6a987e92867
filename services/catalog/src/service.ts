import { AuctionService } from '@marketplace/contracts/gen/marketplace/auction/v1/auction_pb.ts'
import { UsersService } from '@marketplace/contracts/gen/marketplace/users/v1/users_pb.ts'
import { keptAnswers } from '@marketplace/kit/kept.ts'
import { takePart } from '@marketplace/kit/personal-data.ts'
import { rpcClient } from '@marketplace/kit/rpc.ts'
import type { Sweep } from '@marketplace/kit/sweeper.ts'
import { createService, openResources, type Resources, type Service } from '@marketplace/kit/service.ts'
import { auctionNews } from './auction/auctions.events.ts'
import { liveAuctions } from './auction/live-auctions.ts'
import { categoriesRoutes } from './category/categories.routes.ts'
import type { CatalogSettings } from './config.ts'
import type { Context } from './context.ts'
import type { CatalogTables } from './db.ts'
import { listingsRoutes } from './listing/listings.routes.ts'
import { listingsRpc } from './listing/listings.rpc.ts'
import { lapseOffers } from './offer/offers.repo.ts'
import { offersRoutes } from './offer/offers.routes.ts'
import { personalData } from './personal-data/personal-data.ts'
import { settledSales } from './sale/sales.events.ts'
import { salesRpc } from './sale/sales.rpc.ts'
import { openViewBuffer } from './view/view-buffer.ts'
import { forgetOldViews } from './view/views.repo.ts'
import { watchlistRoutes } from './watchlist/watchlist.routes.ts'

export function createCatalogService(settings: CatalogSettings): Service {
  const resources = openResources<CatalogTables>('catalog', settings)
  const ctx = openContext(resources, settings)
  const part = takePart(resources, personalData)
  return createService(resources, {
    routes: (app) => {
      categoriesRoutes(ctx)(app)
      listingsRoutes(ctx)(app)
      offersRoutes(ctx)(app)
      watchlistRoutes(ctx)(app)
      app.addHook('onClose', () => ctx.views.drain())
    },
    rpc: (router) => {
      listingsRpc(ctx)(router)
      salesRpc(ctx)(router)
    },
    consumers: [auctionNews, settledSales, part.consumer],
    sweeps: [...sweeps(ctx), part.sweep],
  })
}

function sweeps({ db, settings, views }: Context): Sweep[] {
  return [
    { name: 'lapsed offers', everyMs: settings.SWEEP_OFFERS_MS, sweep: () => lapseOffers(db) },
    { name: 'views', everyMs: settings.FLUSH_VIEWS_MS, sweep: () => views.flush() },
    { name: 'old views', everyMs: settings.SWEEP_VIEWS_MS, sweep: () => forgetOldViews(db, settings.REPEAT_VIEW_MS) },
  ]
}

// Names in memory; some 100 bytes each.
const maxNames = 10_000

function openContext({ db, log }: Resources<CatalogTables>, settings: CatalogSettings): Context {
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
  const views = openViewBuffer({ db, log, repeatMs: settings.REPEAT_VIEW_MS })
  return { db, settings, auctions, names, views, liveAuctions: liveAuctions(auctions, settings.READ_AUCTIONS_MS) }
}
