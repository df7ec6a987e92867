import { ListingViewedSchema } from '@marketplace/contracts/gen/marketplace/catalog/v1/catalog_pb.ts'
import { topics } from '@marketplace/contracts/topics.ts'
import type { OutgoingEvent } from '@marketplace/kit/events/outbox.ts'
import type { ViewTotal } from './views.repo.ts'

/** Builds the event of a new view count. The count also serves as the event's version, because it only rises. */
export function listingViewed({ listingId, viewCount }: ViewTotal): OutgoingEvent<typeof ListingViewedSchema> {
  const message = { listingId, viewCount }
  return { topic: topics.catalog, key: listingId, version: viewCount, schema: ListingViewedSchema, message }
}
