import { openBus } from '@marketplace/bus/open-bus.ts'
import { AuctionService } from '@marketplace/contracts/gen/marketplace/auction/v1/auction_pb.ts'
import { UsersService } from '@marketplace/contracts/gen/marketplace/users/v1/users_pb.ts'
import { deleteEndedBlocks } from '@marketplace/kit/blocks/block-projection.ts'
import { createTtlCache } from '@marketplace/kit/cache/ttl-cache.ts'
import { createPersonalDataParticipant } from '@marketplace/kit/personal-data/personal-data.ts'
import { rpcClient } from '@marketplace/kit/rpc/rpc.ts'
import type { Sweep } from '@marketplace/kit/jobs/sweeper.ts'
import { createService, openResources, type Resources, type Service } from '@marketplace/kit/app/service.ts'
import { auctionNewsConsumer } from './auction/auction-news.consumer.ts'
import { dropAbandonedAuctions } from './auction/drop-abandoned-auctions.ts'
import { createLiveAuctions } from './auction/live-auctions.ts'
import { memberBlocksConsumer } from './block/member-blocks.consumer.ts'
import { categoriesRoutes } from './category/categories.routes.ts'
import type { CatalogSettings } from './config.ts'
import type { Context } from './context.ts'
import type { CatalogTables } from './db.ts'
import { listingsRoutes } from './listing/listings.routes.ts'
import { listingsRpc } from './listing/listings.rpc.ts'
import { endProvenSales } from './listing/history/end-proven-sales.ts'
import { fillListings } from './listing/history/fill-listings.ts'
import { deleteExpiredPrices, deleteExpiredRevisions } from './listing/history/history.repo.ts'
import { deleteExpiredInactivePeriods } from './listing/history/inactive-periods.repo.ts'
import { historyRoutes } from './listing/history/history.routes.ts'
import { lifeRoutes } from './listing/life/life.routes.ts'
import { statusCollectors } from './listing/life/status-collectors.ts'
import { deleteExpiredDrafts } from './draft/drafts.repo.ts'
import { draftsRoutes } from './draft/drafts.routes.ts'
import { expireOffers } from './offer/offers.repo.ts'
import { offersRoutes } from './offer/offers.routes.ts'
import { flagMatchingPictures } from './picture/match-pictures.repo.ts'
import { picturesRoutes } from './picture/pictures.routes.ts'
import { deleteUnusedPictures } from './picture/pictures.repo.ts'
import { openStore } from './picture/store/open-store.ts'
import { pictureFilesRoutes } from './picture/store/picture-files.routes.ts'
import type { PictureStore } from './picture/store/picture-store.ts'
import { uploadsRoutes } from './picture/store/uploads.routes.ts'
import { personalData } from './personal-data/personal-data.ts'
import { settledSalesConsumer } from './sale/settled-sales.consumer.ts'
import { deleteExpiredTombstones } from './sale/holds.repo.ts'
import { salesRpc } from './sale/sales.rpc.ts'
import { createViewBuffer } from './view/view-buffer.ts'
import { emptyExpiredViews } from './view/views.repo.ts'
import { watchlistRoutes } from './watchlist/watchlist.routes.ts'

export function createCatalogService(settings: CatalogSettings): Service {
  const resources = openResources<CatalogTables>('catalog', settings)
  const { store, served } = openStore(settings)
  const ctx = createContext(resources, settings, store)
  const participant = createPersonalDataParticipant(resources, personalData)
  return createService(resources, {
    openBus,
    collectors: statusCollectors(ctx),
    routes: (app) => {
      categoriesRoutes(app, ctx)
      listingsRoutes(app, ctx)
      lifeRoutes(app, ctx)
      historyRoutes(app, ctx)
      draftsRoutes(app, ctx)
      offersRoutes(app, ctx)
      watchlistRoutes(app, ctx)
      picturesRoutes(app, ctx)
      uploadsRoutes(app, served)
      pictureFilesRoutes(app, served)
      app.addHook('onClose', () => ctx.viewBuffer.drain())
    },
    rpc: (router) => {
      listingsRpc(router, ctx)
      salesRpc(router, ctx)
    },
    consumers: [auctionNewsConsumer, settledSalesConsumer, memberBlocksConsumer, participant.consumer],
    sweeps: [...createSweeps(ctx), participant.sweep],
  })
}

function createSweeps(ctx: Context): Sweep[] {
  const { db, settings, viewBuffer } = ctx
  return [
    { name: 'lapsed offers', intervalMs: settings.OFFER_SWEEP_INTERVAL_MS, sweep: () => expireOffers(db) },
    {
      name: 'old tombstones of sales',
      intervalMs: settings.OFFER_SWEEP_INTERVAL_MS,
      sweep: () => deleteExpiredTombstones(db),
    },
    { name: 'ended blocks', intervalMs: settings.OFFER_SWEEP_INTERVAL_MS, sweep: () => deleteEndedBlocks(db) },
    {
      name: 'abandoned auctions',
      intervalMs: settings.OPENING_SWEEP_INTERVAL_MS,
      sweep: () => dropAbandonedAuctions(ctx),
    },
    {
      name: 'listings of earlier versions',
      intervalMs: settings.LISTING_SWEEP_INTERVAL_MS,
      sweep: () => fillListings(db),
    },
    { name: 'proven sales', intervalMs: settings.LISTING_SWEEP_INTERVAL_MS, sweep: () => endProvenSales(db) },
    {
      name: 'old revisions',
      intervalMs: settings.HISTORY_SWEEP_INTERVAL_MS,
      sweep: () => deleteExpiredRevisions(db),
    },
    { name: 'old drafts', intervalMs: settings.HISTORY_SWEEP_INTERVAL_MS, sweep: () => deleteExpiredDrafts(db) },
    { name: 'old prices', intervalMs: settings.HISTORY_SWEEP_INTERVAL_MS, sweep: () => deleteExpiredPrices(db) },
    {
      name: 'old inactive periods',
      intervalMs: settings.HISTORY_SWEEP_INTERVAL_MS,
      sweep: () => deleteExpiredInactivePeriods(db),
    },
    { name: 'views', intervalMs: settings.VIEW_FLUSH_INTERVAL_MS, sweep: () => viewBuffer.flush() },
    {
      name: 'old views',
      intervalMs: settings.VIEW_SWEEP_INTERVAL_MS,
      async sweep() {
        await emptyExpiredViews(db, settings.VIEW_DEDUP_WINDOW_MS)
        return 0
      },
    },
    {
      name: 'pictures to match',
      intervalMs: settings.PICTURE_SWEEP_INTERVAL_MS,
      sweep: () => flagMatchingPictures(db),
    },
    {
      name: 'unused pictures',
      intervalMs: settings.PICTURE_SWEEP_INTERVAL_MS,
      sweep: () => deleteUnusedPictures(db, settings.UNUSED_PICTURE_RETENTION_MS),
    },
  ]
}

// Maximum number of cached names of users. Each takes about 100 bytes.
const maxUserNames = 10_000

function createContext({ db, log }: Resources<CatalogTables>, settings: CatalogSettings, store: PictureStore): Context {
  const auctions = rpcClient(AuctionService, settings.AUCTION_INTERNAL_URL, settings.INTERNAL_SECRET)
  const users = rpcClient(UsersService, settings.USERS_INTERNAL_URL, settings.INTERNAL_SECRET)
  const userNames = createTtlCache({
    ttlMs: settings.PROFILES_TTL_MS,
    max: maxUserNames,
    async load(ids) {
      const { profiles } = await users.getProfiles({ userIds: [...ids] }, { timeoutMs: settings.PROFILES_TIMEOUT_MS })
      return new Map(profiles.map(({ userId, name }) => [userId, name]))
    },
  })
  const viewBuffer = createViewBuffer({
    db,
    log,
    limits: { repeatMs: settings.VIEW_DEDUP_WINDOW_MS, maxPerNetwork: settings.MAX_VIEWS_PER_ADDRESS },
  })
  const liveAuctions = createLiveAuctions(auctions, settings.AUCTIONS_TIMEOUT_MS)
  return { db, settings, auctions, liveAuctions, userNames, viewBuffer, store }
}
