import { ListingViewedSchema } from '@marketplace/contracts/gen/marketplace/catalog/v1/catalog_pb.ts'
import { topics } from '@marketplace/contracts/topics.ts'
import type { OutgoingEvent } from '@marketplace/kit/outbox.ts'
import type { ViewTotal } from './views.repo.ts'

/** The total only rises, so it is the event's number too. */
export function listingViewed({ listingId, viewCount }: ViewTotal): OutgoingEvent<typeof ListingViewedSchema> {
  const message = { listingId, viewCount }
  return { topic: topics.catalog, key: listingId, version: viewCount, schema: ListingViewedSchema, message }
}
