import {
  PaymentSucceededSchema,
  SaleReleasedSchema,
  type PaymentSucceeded,
  type SaleReleased,
} from '@marketplace/contracts/gen/marketplace/payments/v1/payments_pb.ts'
import { Owner, SaleType } from '@marketplace/contracts/gen/marketplace/sales/v1/sales_pb.ts'
import { topics } from '@marketplace/contracts/topics.ts'
import type { BusEvent } from '@marketplace/kit/events/bus.ts'
import { consumer, onAll } from '@marketplace/kit/events/consumer.ts'
import { publishAll } from '@marketplace/kit/events/outbox.ts'
import type { CatalogTables } from '../db.ts'
import { settleAuctions, type EndedAuctionSale } from './settle-auctions.ts'
import { saleRefused } from './sales.events.ts'
import { markSold, releaseHolds, type EndedSale } from './settle-sales.ts'

/**
 * Updates listings and holds from events of paid and released sales, in case the payments service's `Settle` call was
 * lost. Skips the holds of auction sales, which the auction service stores.
 */
export const settledSalesConsumer = consumer<CatalogTables>(
  'settled-sales',
  [topics.payments],
  [
    onAll(PaymentSucceededSchema, async (trx, payments, events) => {
      await settleAuctions(trx, auctionSales(payments, events))
      const rejected = await markSold(trx, ownSales(payments, events))
      const refusals = rejected.map(({ traceparent, ...sale }) => ({
        ...saleRefused(sale),
        traceparent: traceparent ?? undefined,
      }))
      await publishAll(trx, refusals)
    }),
    onAll(SaleReleasedSchema, async (trx, releases, events) => {
      await settleAuctions(trx, auctionSales(releases, events))
      await releaseHolds(trx, ownSales(releases, events))
    }),
  ],
)

function auctionSales(
  ended: readonly (PaymentSucceeded | SaleReleased)[],
  events: readonly BusEvent[],
): EndedAuctionSale[] {
  return ended.flatMap((sale, index) => {
    if (sale.owner !== Owner.AUCTION) return []
    const { saleId, listingId, saleType } = sale
    const [isWin, traceparent] = [saleType === SaleType.AUCTION_WIN, events[index]?.traceparent]
    return { saleId, listingId, isWin, buyerId: 'buyerId' in sale ? sale.buyerId || null : null, traceparent }
  })
}

// Returns the sales whose holds are stored in this service, that is, all sales except those of auctions.
function ownSales(ended: readonly (PaymentSucceeded | SaleReleased)[], events: readonly BusEvent[]): EndedSale[] {
  return ended.flatMap(({ owner, saleId, listingId }, index) =>
    owner === Owner.CATALOG ? [{ saleId, listingId, traceparent: events[index]?.traceparent }] : [],
  )
}
