import { Owner, SaleRefusedSchema } from '@marketplace/contracts/gen/marketplace/sales/v1/sales_pb.ts'
import { topics } from '@marketplace/contracts/topics.ts'
import type { OutgoingEvent } from '@marketplace/kit/events/outbox.ts'
import type { SaleRef } from './settlement.ts'

/**
 * Builds the event of a sale whose payment succeeded although the item was not reserved for the sale. The payments
 * service reacts with a refund.
 */
export function saleRefused({
  saleId,
  listingId,
  version,
}: SaleRef & { version: number }): OutgoingEvent<typeof SaleRefusedSchema> {
  const message = { saleId, listingId, owner: Owner.CATALOG }
  return { topic: topics.catalog, key: listingId, version, schema: SaleRefusedSchema, message }
}
