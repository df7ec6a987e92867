import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { OfferAcceptedSchema } from '@marketplace/contracts/gen/marketplace/catalog/v1/catalog_pb.ts'
import { topics } from '@marketplace/contracts/topics.ts'
import type { OutgoingEvent } from '@marketplace/kit/events/outbox.ts'
import type { Listing } from '../listing/listing.ts'
import type { AcceptedOffer, ItemHold } from '../sale/hold.ts'
import { toSaleTerms } from '../sale/sale-terms.ts'

export function offerAccepted(
  { id: listingId, version }: Listing,
  { saleId, buyerId, terms }: ItemHold,
  { id: offerId, dueAt }: AcceptedOffer,
): OutgoingEvent<typeof OfferAcceptedSchema> {
  const sale = { offerId, saleId, listingId, buyerId, terms: toSaleTerms(terms) }
  const message = { ...sale, dueAt: timestampFromDate(dueAt) }
  return { topic: topics.catalog, key: listingId, version, schema: OfferAcceptedSchema, message }
}
