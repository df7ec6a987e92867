import { Owner, SaleRefusedSchema } from '@marketplace/contracts/gen/marketplace/sales/v1/sales_pb.ts'
import { topics } from '@marketplace/contracts/topics.ts'
import type { OutgoingEvent } from '@marketplace/kit/events/outbox.ts'

interface RefusedSale {
  saleId: string
  listingId: string
  number: number
  /** W3C trace context of the payment event. */
  traceparent?: string | undefined
}

/**
 * Builds the event of a sale whose payment succeeded although the item was not reserved for the sale. The payments
 * service reacts with a refund.
 */
export function saleRefused({
  saleId,
  listingId,
  number,
  traceparent,
}: RefusedSale): OutgoingEvent<typeof SaleRefusedSchema> {
  return {
    topic: topics.auction,
    key: listingId,
    version: number,
    traceparent,
    schema: SaleRefusedSchema,
    message: { saleId, listingId, owner: Owner.AUCTION },
  }
}
