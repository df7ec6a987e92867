import {
  PaymentSucceededSchema,
  SaleReleasedSchema,
} from '@marketplace/contracts/gen/marketplace/payments/v1/payments_pb.ts'
import { Owner } from '@marketplace/contracts/gen/marketplace/sales/v1/sales_pb.ts'
import { topics } from '@marketplace/contracts/topics.ts'
import { consumer, on } from '@marketplace/kit/consumer.ts'
import type { AuctionTables } from '../db.ts'
import { settleHold } from './holds.repo.ts'

/** Ends the holds of sales that are over; the call `Settle` does the same, sooner. */
export const settledSales = consumer<AuctionTables>(
  'settled-sales',
  [topics.payments],
  [
    on(PaymentSucceededSchema, async (trx, { owner, saleId }) => {
      if (owner === Owner.AUCTION) await settleHold(trx, saleId, 'sold')
    }),
    on(SaleReleasedSchema, async (trx, { owner, saleId }) => {
      if (owner === Owner.AUCTION) await settleHold(trx, saleId, 'released')
    }),
  ],
)
