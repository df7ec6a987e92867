import { takePart } from '@marketplace/kit/personal-data.ts'
import { createService, openResources, type Service } from '@marketplace/kit/service.ts'
import { closeDueAuctions, closeOverdueAuction } from './auction/close-auctions.ts'
import { auctionReadings } from './auction/auction-readings.ts'
import { auctionsRpc } from './auction/auctions.rpc.ts'
import { bidsRoutes } from './bid/bids.routes.ts'
import type { AuctionSettings } from './config.ts'
import type { AuctionTables } from './db.ts'
import { fixedPriceListings } from './listing/listings.events.ts'
import { personalData } from './personal-data/personal-data.ts'
import { settledSales } from './sale/sales.events.ts'
import { salesRpc } from './sale/sales.rpc.ts'

export function createAuctionService(settings: AuctionSettings): Service {
  const resources = openResources<AuctionTables>('auction', settings)
  const ctx = { db: resources.db, log: resources.log, settings }
  const everyMs = settings.CLOSE_EVERY_MS
  const part = takePart(resources, personalData)
  return createService(resources, {
    readings: auctionReadings(ctx),
    routes: bidsRoutes(ctx),
    rpc: (router) => {
      auctionsRpc(ctx)(router)
      salesRpc(ctx)(router)
    },
    consumers: [settledSales(ctx), fixedPriceListings, part.consumer],
    sweeps: [
      part.sweep,
      { name: 'close-due', everyMs, sweep: () => closeDueAuctions(ctx) },
      // A sweep of its own: its wait for a lock must not hold up the other.
      { name: 'close-overdue', everyMs, sweep: () => closeOverdueAuction(ctx) },
    ],
  })
}
