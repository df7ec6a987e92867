import { PaymentSucceededSchema } from '@marketplace/contracts/gen/marketplace/payments/v1/payments_pb.ts'
import { topics } from '@marketplace/contracts/topics.ts'
import { consumer, onAll } from '@marketplace/kit/events/consumer.ts'
import type { UsersTables } from '../db.ts'
import { addSales } from './profiles.repo.ts'

/** Counts each seller's completed sales since the oldest event on the bus when this consumer first ran. */
export const saleCountsConsumer = consumer<UsersTables>(
  'sale-counts',
  [topics.payments],
  [
    onAll(PaymentSucceededSchema, (trx, payments) =>
      addSales(
        trx,
        payments.map(({ sellerId }) => sellerId),
      ),
    ),
  ],
)
