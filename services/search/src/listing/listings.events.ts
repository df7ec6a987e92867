import { BidPlacedSchema } from '@marketplace/contracts/gen/marketplace/auction/v1/auction_pb.ts'
import {
  ListingChangedSchema,
  ListingCreatedSchema,
  ListingViewedSchema,
  type Listing,
} from '@marketplace/contracts/gen/marketplace/catalog/v1/catalog_pb.ts'
import { topics } from '@marketplace/contracts/topics.ts'
import { consumer, on, onNewest } from '@marketplace/kit/consumer.ts'
import type { SearchTables, Trx } from '../db.ts'
import { indexBids, indexListing } from './index-listing.ts'
import { keepViews } from './views.repo.ts'

/** Keeps the index up to date with listings, their views and their bids. */
export const listingIndex = consumer<SearchTables>(
  'listing-index',
  [topics.catalog, topics.auction],
  [
    on(ListingCreatedSchema, (trx, { listing }) => indexTold(trx, listing)),
    on(ListingChangedSchema, (trx, { listing }) => indexTold(trx, listing)),
    on(ListingViewedSchema, (trx, { listingId, viewCount }) => keepViews(trx, listingId, viewCount)),
    onNewest(BidPlacedSchema, (trx, bids) =>
      indexBids(
        trx,
        bids.map(({ listingId, number, amountCents }) => ({ listingId, number: Number(number), amount: amountCents })),
      ),
    ),
  ],
)

async function indexTold(trx: Trx, listing: Listing | undefined): Promise<void> {
  if (!listing) throw new Error('The event has no listing.')
  await indexListing(trx, listing)
}
