import { PaymentSucceededSchema } from '@marketplace/contracts/gen/marketplace/payments/v1/payments_pb.ts'
import { topics } from '@marketplace/contracts/topics.ts'
import { consumer, onAll } from '@marketplace/kit/events/consumer.ts'
import type { UsersTables } from '../db.ts'
import { addSales } from './profiles.repo.ts'

/**
 * Counts the completed sales of each seller. Sales whose events were deleted from the bus before this consumer first
 * ran are not counted.
 */
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
