import {
  PaymentSucceededSchema,
  SaleReleasedSchema,
} from '@marketplace/contracts/gen/marketplace/payments/v1/payments_pb.ts'
import { Owner } from '@marketplace/contracts/gen/marketplace/sales/v1/sales_pb.ts'
import { topics } from '@marketplace/contracts/topics.ts'
import { consumer, on } from '@marketplace/kit/events/consumer.ts'
import { publish } from '@marketplace/kit/events/outbox.ts'
import type { CatalogTables } from '../db.ts'
import { saleRefused } from './sales.events.ts'
import { markSold, releaseHold } from './settle-sale.ts'

/**
 * Records on the holds whether their sales were paid or released. The RPC `Settle` usually does this earlier. The
 * events cover the case that the RPC call is lost.
 */
export const settledSalesConsumer = consumer<CatalogTables>(
  'settled-sales',
  [topics.payments],
  [
    on(PaymentSucceededSchema, async (trx, { owner, saleId, listingId }) => {
      if (owner !== Owner.CATALOG) return
      const { isAccepted, version } = await markSold(trx, { saleId, listingId })
      if (!isAccepted) await publish(trx, saleRefused({ saleId, listingId, version }))
    }),
    on(SaleReleasedSchema, async (trx, { owner, saleId, listingId }) => {
      if (owner === Owner.CATALOG) await releaseHold(trx, { saleId, listingId })
    }),
  ],
)
