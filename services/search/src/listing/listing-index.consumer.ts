import { BidPlacedSchema } from '@marketplace/contracts/gen/marketplace/auction/v1/auction_pb.ts'
import {
  ListingChangedSchema,
  ListingCreatedSchema,
  ListingViewedSchema,
  type Listing,
} from '@marketplace/contracts/gen/marketplace/catalog/v1/catalog_pb.ts'
import { topics } from '@marketplace/contracts/topics.ts'
import { consumer, on, onLatest } from '@marketplace/kit/events/consumer.ts'
import type { SearchTables, Trx } from '../db.ts'
import { indexBids, indexListing } from './index-listing.ts'
import { upsertViews } from './views.repo.ts'

/** Applies listings, view counts and bids to the index. */
export const listingIndex = consumer<SearchTables>(
  'listing-index',
  [topics.catalog, topics.auction],
  [
    on(ListingCreatedSchema, (trx, { listing }) => indexRequired(trx, listing)),
    on(ListingChangedSchema, (trx, { listing }) => indexRequired(trx, listing)),
    on(ListingViewedSchema, (trx, { listingId, viewCount }) => upsertViews(trx, listingId, viewCount)),
    onLatest(BidPlacedSchema, (trx, bids) =>
      indexBids(
        trx,
        bids.map(({ listingId, number, amountCents }) => ({ listingId, number: Number(number), amount: amountCents })),
      ),
    ),
  ],
)

async function indexRequired(trx: Trx, listing: Listing | undefined): Promise<void> {
  if (!listing) throw new Error('The event has no listing.')
  await indexListing(trx, listing)
}
