import { AuctionEndedSchema } from '@marketplace/contracts/gen/marketplace/auction/v1/auction_pb.ts'
import { SaleRefusedSchema } from '@marketplace/contracts/gen/marketplace/sales/v1/sales_pb.ts'
import { topics } from '@marketplace/contracts/topics.ts'
import { consumer, on, onAll, type ConsumerDefinition } from '@marketplace/kit/events/consumer.ts'
import type { Context } from '../../context.ts'
import type { PaymentsTables } from '../../db.ts'
import { expireCheckouts } from '../checkout/expire-checkout.ts'
import { inventoryServiceFromProto } from '../sale-mapping.ts'
import { recordRefundDue } from '../steps/refund-sale.ts'

/**
 * Ends open checkouts of ended auctions, and refunds paid sales whose item was not available. Separate from the
 * consumer `due-sales`, which waits for these checkouts to end and would block itself.
 */
export function endingSalesConsumer({ settings }: Pick<Context, 'settings'>): ConsumerDefinition<PaymentsTables> {
  return consumer(
    'ending-sales',
    [topics.auction, topics.catalog],
    [
      onAll(AuctionEndedSchema, (trx, events) => {
        const saleIds = events.map(({ saleId }) => saleId)
        return expireCheckouts(trx, saleIds, settings)
      }),
      on(SaleRefusedSchema, (trx, { saleId, owner }) =>
        recordRefundDue(trx, { saleId, inventoryService: inventoryServiceFromProto(owner) }),
      ),
    ],
  )
}
