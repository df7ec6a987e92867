import {
  PaymentSucceededSchema,
  SaleReleasedSchema,
} from '@marketplace/contracts/gen/marketplace/payments/v1/payments_pb.ts'
import { Owner, SaleRefusedSchema } from '@marketplace/contracts/gen/marketplace/sales/v1/sales_pb.ts'
import { topics } from '@marketplace/contracts/topics.ts'
import { consumer, on } from '@marketplace/kit/consumer.ts'
import { publish, type OutgoingEvent } from '@marketplace/kit/outbox.ts'
import type { CatalogTables } from '../db.ts'
import { markSold, release, type SettledSale } from './settle-sale.ts'

/** Ends the holds of sales that are over; the call `Settle` does the same, sooner. */
export const settledSales = consumer<CatalogTables>(
  'settled-sales',
  [topics.payments],
  [
    on(PaymentSucceededSchema, async (trx, { owner, saleId, listingId }) => {
      if (owner !== Owner.CATALOG) return
      const { isTaken, version } = await markSold(trx, { saleId, listingId })
      if (!isTaken) await publish(trx, saleRefused({ saleId, listingId, version }))
    }),
    on(SaleReleasedSchema, async (trx, { owner, saleId, listingId }) => {
      if (owner === Owner.CATALOG) await release(trx, { saleId, listingId })
    }),
  ],
)

/** Paid, but this sale does not have the item: payments gives the money back. */
function saleRefused({
  saleId,
  listingId,
  version,
}: SettledSale & { version: number }): OutgoingEvent<typeof SaleRefusedSchema> {
  const message = { saleId, listingId, owner: Owner.CATALOG }
  return { topic: topics.catalog, key: listingId, version, schema: SaleRefusedSchema, message }
}
