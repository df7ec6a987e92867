import {
  PaymentSucceededSchema,
  SaleReleasedSchema,
} from '@marketplace/contracts/gen/marketplace/payments/v1/payments_pb.ts'
import { Owner } from '@marketplace/contracts/gen/marketplace/sales/v1/sales_pb.ts'
import { topics } from '@marketplace/contracts/topics.ts'
import { consumer, on } from '@marketplace/kit/consumer.ts'
import type { CatalogTables } from '../db.ts'
import { markSold, release } from './settle-sale.ts'

/** Ends the holds of sales that are over; the call `Settle` does the same, sooner. */
export const settledSales = consumer<CatalogTables>(
  'settled-sales',
  [topics.payments],
  [
    on(PaymentSucceededSchema, async (trx, { owner, saleId, listingId }) => {
      if (owner === Owner.CATALOG) await markSold(trx, { saleId, listingId })
    }),
    on(SaleReleasedSchema, async (trx, { owner, saleId, listingId }) => {
      if (owner === Owner.CATALOG) await release(trx, { saleId, listingId })
    }),
  ],
)
