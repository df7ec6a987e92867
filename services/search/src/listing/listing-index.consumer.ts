import { BidPlacedSchema } from '@marketplace/contracts/gen/marketplace/auction/v1/auction_pb.ts'
import {
  ListingChangedSchema,
  ListingCreatedSchema,
  ListingViewedSchema,
  type Listing,
} from '@marketplace/contracts/gen/marketplace/catalog/v1/catalog_pb.ts'
import { topics } from '@marketplace/contracts/topics.ts'
import { consumer, onAll, onLatest } from '@marketplace/kit/events/consumer.ts'
import type { SearchTables, Trx } from '../db.ts'
import { indexBids, indexListings } from './index-listings.ts'
import { upsertViews } from './views.repo.ts'

/** Updates the index from events about listings, view counts and bids. */
export const listingIndex = consumer<SearchTables>(
  'listing-index',
  [topics.catalog, topics.auction],
  [
    onAll(ListingCreatedSchema, indexRequired),
    onAll(ListingChangedSchema, indexRequired),
    onLatest(ListingViewedSchema, upsertViews),
    onLatest(BidPlacedSchema, (trx, bids) =>
      indexBids(
        trx,
        bids.map(({ listingId, number, amountCents }) => ({ listingId, number: Number(number), amount: amountCents })),
      ),
    ),
  ],
)

async function indexRequired(trx: Trx, changes: readonly { listing?: Listing | undefined }[]): Promise<void> {
  const listings = changes.map(({ listing }) => {
    if (!listing) throw new Error('The event has no listing.')
    return listing
  })
  await indexListings(trx, listings)
}
