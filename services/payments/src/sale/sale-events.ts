import {
  PaymentSucceededSchema,
  SaleReleasedSchema,
} from '@marketplace/contracts/gen/marketplace/payments/v1/payments_pb.ts'
import { topics } from '@marketplace/contracts/topics.ts'
import type { OutgoingEvent } from '@marketplace/kit/outbox.ts'
import { ownerInProto, saleTypeInProto } from './contract.ts'
import { termsOf, type Sale } from './sale.ts'

export function paymentSucceeded(sale: Sale): OutgoingEvent<typeof PaymentSucceededSchema> {
  const message = { ...factsOf(sale), buyerId: sale.buyerId, sellerId: termsOf(sale).sellerId }
  return { ...addressOf(sale), schema: PaymentSucceededSchema, message }
}

export function saleReleased(sale: Sale): OutgoingEvent<typeof SaleReleasedSchema> {
  return { ...addressOf(sale), schema: SaleReleasedSchema, message: { ...factsOf(sale), reason: sale.reason ?? '' } }
}

function addressOf({ listingId, version }: Sale) {
  return { topic: topics.payments, key: listingId, version }
}

function factsOf({ id, listingId, owner, type }: Sale) {
  return { saleId: id, listingId, owner: ownerInProto[owner], saleType: saleTypeInProto[type] }
}
