import {
  PaymentSucceededSchema,
  SaleReleasedSchema,
} from '@marketplace/contracts/gen/marketplace/payments/v1/payments_pb.ts'
import { Owner } from '@marketplace/contracts/gen/marketplace/sales/v1/sales_pb.ts'
import { topics } from '@marketplace/contracts/topics.ts'
import { consumer, on, type ConsumerDefinition } from '@marketplace/kit/events/consumer.ts'
import { publish } from '@marketplace/kit/events/outbox.ts'
import type { Context } from '../context.ts'
import type { AuctionTables } from '../db.ts'
import { saleRefused } from './sales.events.ts'
import { settleSale } from './settle-sale.ts'

/**
 * Records on the holds whether their sales were paid or released. The RPC `Settle` usually does this earlier. The
 * events cover the case that the RPC call is lost.
 */
export function settledSalesConsumer({ settings }: Context): ConsumerDefinition<AuctionTables> {
  return consumer(
    'settled-sales',
    [topics.payments],
    [
      on(PaymentSucceededSchema, async (trx, { owner, saleId, listingId }) => {
        if (owner !== Owner.AUCTION) return
        const request = { saleId, listingId, outcome: 'sold', reason: '' } as const
        const { isAccepted, number } = await settleSale(trx, request, settings)
        if (!isAccepted) await publish(trx, saleRefused({ saleId, listingId, number }))
      }),
      on(SaleReleasedSchema, async (trx, { owner, saleId, listingId, reason }) => {
        if (owner !== Owner.AUCTION) return
        await settleSale(trx, { saleId, listingId, outcome: 'released', reason }, settings)
      }),
    ],
  )
}
