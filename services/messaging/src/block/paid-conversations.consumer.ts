import { PaymentSucceededSchema } from '@marketplace/contracts/gen/marketplace/payments/v1/payments_pb.ts'
import { topics } from '@marketplace/contracts/topics.ts'
import { consumer, onAll } from '@marketplace/kit/events/consumer.ts'
import type { MessagingTables } from '../db.ts'
import { insertPaidSales } from './paid-sales.repo.ts'

/**
 * Stores paid sales. The buyer and the seller of a paid sale can still exchange messages after one blocks the other.
 */
export const paidConversationsConsumer = consumer<MessagingTables>(
  'paid-conversations',
  [topics.payments],
  [
    onAll(PaymentSucceededSchema, (trx, payments, events) =>
      insertPaidSales(
        trx,
        payments.flatMap(({ saleId, listingId, buyerId }, index) => {
          const paidAt = events[index]?.occurredAt
          return paidAt === undefined ? [] : [{ saleId, listingId, buyerId, paidAt }]
        }),
      ),
    ),
  ],
)
