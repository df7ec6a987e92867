import {
  PaymentSucceededSchema,
  SaleReleasedSchema,
} from '@marketplace/contracts/gen/marketplace/payments/v1/payments_pb.ts'
import { topics } from '@marketplace/contracts/topics.ts'
import type { OutgoingEvent } from '@marketplace/kit/events/outbox.ts'
import { inventoryServiceToProto, saleTypeToProto } from '../sale-mapping.ts'
import { termsOf, type Sale } from '../sale.ts'

export function paymentSucceeded(sale: Sale): OutgoingEvent<typeof PaymentSucceededSchema> {
  const message = { ...messageOf(sale), buyerId: sale.buyerId, sellerId: termsOf(sale).sellerId }
  return { ...envelopeOf(sale), schema: PaymentSucceededSchema, message }
}

export function saleReleased(sale: Sale): OutgoingEvent<typeof SaleReleasedSchema> {
  return { ...envelopeOf(sale), schema: SaleReleasedSchema, message: { ...messageOf(sale), reason: sale.reason ?? '' } }
}

function envelopeOf({ listingId, version }: Sale) {
  return { topic: topics.payments, key: listingId, version }
}

function messageOf({ id, listingId, inventoryService, type }: Sale) {
  return { saleId: id, listingId, owner: inventoryServiceToProto[inventoryService], saleType: saleTypeToProto[type] }
}
