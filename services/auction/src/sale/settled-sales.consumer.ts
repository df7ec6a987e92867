import {
  PaymentSucceededSchema,
  SaleReleasedSchema,
} from '@marketplace/contracts/gen/marketplace/payments/v1/payments_pb.ts'
import { Owner } from '@marketplace/contracts/gen/marketplace/sales/v1/sales_pb.ts'
import { topics } from '@marketplace/contracts/topics.ts'
import { consumer, onAll, type ConsumerDefinition } from '@marketplace/kit/events/consumer.ts'
import { publishAll } from '@marketplace/kit/events/outbox.ts'
import type { Context } from '../context.ts'
import type { AuctionTables } from '../db.ts'
import { saleRefused } from './sales.events.ts'
import { settleSales } from './settle-sales.ts'
import type { SettleRequest } from './settlement.ts'

/** Marks the holds of paid and released sales as sold or released, in case the RPC call `Settle` was lost. */
export function settledSalesConsumer({ settings }: Context): ConsumerDefinition<AuctionTables> {
  return consumer(
    'settled-sales',
    [topics.payments],
    [
      onAll(PaymentSucceededSchema, async (trx, messages, events) => {
        const paid = messages.flatMap(({ owner, saleId, listingId }, index) =>
          owner === Owner.AUCTION ? [{ saleId, listingId, traceparent: events[index]?.traceparent ?? undefined }] : [],
        )
        const { settlements } = await settleSales(trx, paid.map(toSoldRequest), settings)
        const refused = paid.flatMap((sale, index) => {
          const settlement = settlements[index]
          return settlement && !settlement.isAccepted ? [{ ...sale, number: settlement.number }] : []
        })
        await publishAll(trx, refused.map(saleRefused))
      }),
      onAll(SaleReleasedSchema, async (trx, messages) => {
        const released = messages.filter(({ owner }) => owner === Owner.AUCTION)
        await settleSales(trx, released.map(toReleasedRequest), settings)
      }),
    ],
  )
}

type Sale = Pick<SettleRequest, 'saleId' | 'listingId'>

function toSoldRequest({ saleId, listingId }: Sale): SettleRequest {
  return { saleId, listingId, outcome: 'sold', reason: '' }
}

function toReleasedRequest({ saleId, listingId, reason }: Sale & Pick<SettleRequest, 'reason'>): SettleRequest {
  return { saleId, listingId, outcome: 'released', reason }
}
