import {
  ListingChangedSchema,
  ListingCreatedSchema,
  type Listing as ListingMessage,
} from '@marketplace/contracts/gen/marketplace/catalog/v1/catalog_pb.ts'
import { toListingMessage } from '@marketplace/contracts/listing.ts'
import { topics } from '@marketplace/contracts/topics.ts'
import type { OutgoingEvent } from '@marketplace/kit/events/outbox.ts'
import { toDocument } from './listing-row.ts'
import type { Listing } from './listing.ts'

export function listingCreated(listing: Listing): OutgoingEvent<typeof ListingCreatedSchema> {
  const { id: key, version } = listing
  return { topic: topics.catalog, key, version, schema: ListingCreatedSchema, message: { listing: toMessage(listing) } }
}

/** Builds the event of a changed listing. The event contains the complete listing, not only the changes. */
export function listingChanged(listing: Listing): OutgoingEvent<typeof ListingChangedSchema> {
  const { id: key, version } = listing
  return { topic: topics.catalog, key, version, schema: ListingChangedSchema, message: { listing: toMessage(listing) } }
}

export function toMessage(listing: Listing): ListingMessage {
  const { isActive, viewCount } = listing
  return toListingMessage(toDocument(listing), { isActive, viewCount })
}
