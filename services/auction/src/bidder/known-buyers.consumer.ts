import { PaymentSucceededSchema } from '@marketplace/contracts/gen/marketplace/payments/v1/payments_pb.ts'
import { topics } from '@marketplace/contracts/topics.ts'
import { consumer, onAll } from '@marketplace/kit/events/consumer.ts'
import type { AuctionTables } from '../db.ts'
import { insertKnownBuyers } from './known-buyers.repo.ts'

/**
 * Stores the buyers of all paid sales, including fixed-price sales, because such a buyer is no longer a first-time
 * buyer.
 */
export const knownBuyersConsumer = consumer<AuctionTables>(
  'known-buyers',
  [topics.payments],
  [
    onAll(PaymentSucceededSchema, (trx, payments) => {
      const buyerIds = payments.map(({ buyerId }) => buyerId)
      return insertKnownBuyers(trx, buyerIds)
    }),
  ],
)
