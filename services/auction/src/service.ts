import { openBus } from '@marketplace/bus/open-bus.ts'
import { createPersonalDataParticipant } from '@marketplace/kit/personal-data/personal-data.ts'
import { createService, openResources, type Service } from '@marketplace/kit/app/service.ts'
import { closeDueAuctions, closeOverdueAuction } from './auction/close-auctions.ts'
import { auctionCollectors } from './auction/auction-collectors.ts'
import { auctionsRpc } from './auction/auctions.rpc.ts'
import { deleteExpiredDrops } from './auction/dropped-auctions.repo.ts'
import type { BidDecider } from './bid/bid-decider.ts'
import { bidsRoutes } from './bid/bids.routes.ts'
import { createBidDecider } from './bid/place-bid.ts'
import { deleteEndedBlocks } from './bidder/blocked-bidders.repo.ts'
import { knownBuyersConsumer } from './bidder/known-buyers.consumer.ts'
import { memberBlocksConsumer } from './bidder/member-blocks.consumer.ts'
import { deleteExpiredStrikes } from './bidder/strikes.repo.ts'
import type { AuctionSettings } from './config.ts'
import type { Context } from './context.ts'
import type { AuctionTables } from './db.ts'
import { fixedPriceListingsConsumer } from './listing/fixed-price-listings.consumer.ts'
import { personalData } from './personal-data/personal-data.ts'
import { deleteOldCheckouts } from './sale/holds.repo.ts'
import { salesRpc } from './sale/sales.rpc.ts'
import { settledSalesConsumer } from './sale/settled-sales.consumer.ts'
import { standingsRoutes } from './standing/standings.routes.ts'

// Interval of the sweeps that delete old rows.
const deletionIntervalMs = 60_000

export function createAuctionService(
  settings: AuctionSettings,
  createDecider: (ctx: Context) => BidDecider = createBidDecider,
): Service {
  const resources = openResources<AuctionTables>('auction', settings)
  const ctx = { db: resources.db, log: resources.log, settings }
  const intervalMs = settings.CLOSE_INTERVAL_MS
  const participant = createPersonalDataParticipant(resources, personalData)
  return createService(resources, {
    openBus,
    collectors: auctionCollectors(ctx),
    routes: (app) => {
      bidsRoutes(app, ctx, createDecider(ctx))
      standingsRoutes(app, ctx)
    },
    rpc: (router) => {
      auctionsRpc(router, ctx)
      salesRpc(router, ctx)
    },
    consumers: [
      settledSalesConsumer(ctx),
      fixedPriceListingsConsumer,
      knownBuyersConsumer,
      memberBlocksConsumer,
      participant.consumer,
    ],
    sweeps: [
      participant.sweep,
      { name: 'close-due', intervalMs, sweep: () => closeDueAuctions(ctx) },
      // This sweep waits for row locks. It is separate from `close-due`, so that the wait does not delay other
      // auctions.
      { name: 'close-overdue', intervalMs, sweep: () => closeOverdueAuction(ctx) },
      { name: 'old dropped auctions', intervalMs: deletionIntervalMs, sweep: () => deleteExpiredDrops(ctx.db) },
      { name: 'old strikes', intervalMs: deletionIntervalMs, sweep: () => deleteExpiredStrikes(ctx.db) },
      { name: 'ended blocks', intervalMs: deletionIntervalMs, sweep: () => deleteEndedBlocks(ctx.db) },
      { name: 'old checkouts', intervalMs: deletionIntervalMs, sweep: () => deleteOldCheckouts(ctx.db) },
    ],
  })
}
