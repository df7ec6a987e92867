import { ListingCreatedSchema } from '@marketplace/contracts/gen/marketplace/catalog/v1/catalog_pb.ts'
import { topics } from '@marketplace/contracts/topics.ts'
import { consumer, onAll } from '@marketplace/kit/events/consumer.ts'
import type { AuctionTables } from '../db.ts'
import { insertFixedPriceListings } from './fixed-price-listings.repo.ts'

/** Stores which listings have a fixed price. A bid on such a listing then gets 409 instead of 404 (ADR-0001). */
export const fixedPriceListingsConsumer = consumer<AuctionTables>(
  'fixed-price-listings',
  [topics.catalog],
  [
    onAll(ListingCreatedSchema, (trx, messages) => {
      const listings = messages.flatMap(({ listing }) =>
        listing && !listing.isAuction ? [{ listingId: listing.id, sellerId: listing.sellerId }] : [],
      )
      return insertFixedPriceListings(trx, listings)
    }),
  ],
)
