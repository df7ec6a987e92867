import { PaymentSucceededSchema } from '@marketplace/contracts/gen/marketplace/payments/v1/payments_pb.ts'
import { topics } from '@marketplace/contracts/topics.ts'
import { consumer, on } from '@marketplace/kit/events/consumer.ts'
import type { AuctionTables } from '../db.ts'
import { insertKnownBuyers } from './known-buyers.repo.ts'

/** Stores who has completed a purchase, of any kind of sale: those people have no exposure limit. */
export const knownBuyersConsumer = consumer<AuctionTables>(
  'known-buyers',
  [topics.payments],
  [on(PaymentSucceededSchema, (trx, { buyerId }) => insertKnownBuyers(trx, [buyerId]))],
)
