import {
  PaymentSucceededSchema,
  SaleReleasedSchema,
} from '@marketplace/contracts/gen/marketplace/payments/v1/payments_pb.ts'
import { Owner, SaleRefusedSchema } from '@marketplace/contracts/gen/marketplace/sales/v1/sales_pb.ts'
import { topics } from '@marketplace/contracts/topics.ts'
import { consumer, on, type ConsumerDefinition } from '@marketplace/kit/consumer.ts'
import { publish, type OutgoingEvent } from '@marketplace/kit/outbox.ts'
import type { Context } from '../context.ts'
import type { AuctionTables } from '../db.ts'
import { settleSale } from './settle-sale.ts'

/** Ends the holds of sales that are over; the call `Settle` does the same, sooner. */
export function settledSales({ settings }: Context): ConsumerDefinition<AuctionTables> {
  return consumer(
    'settled-sales',
    [topics.payments],
    [
      on(PaymentSucceededSchema, async (trx, { owner, saleId, listingId }) => {
        if (owner !== Owner.AUCTION) return
        const { isTaken, number } = await settleSale(trx, { saleId, listingId, end: 'sold' }, settings.WIN_DUE_MS)
        if (!isTaken) await publish(trx, saleRefused({ saleId, listingId, number }))
      }),
      on(SaleReleasedSchema, async (trx, { owner, saleId, listingId }) => {
        if (owner === Owner.AUCTION) await settleSale(trx, { saleId, listingId, end: 'released' }, settings.WIN_DUE_MS)
      }),
    ],
  )
}

/** Paid, but somebody else has the item: payments gives the money back. */
function saleRefused(sale: {
  saleId: string
  listingId: string
  number: number
}): OutgoingEvent<typeof SaleRefusedSchema> {
  const { saleId, listingId, number } = sale
  return {
    topic: topics.auction,
    key: listingId,
    version: number,
    schema: SaleRefusedSchema,
    message: { saleId, listingId, owner: Owner.AUCTION },
  }
}
