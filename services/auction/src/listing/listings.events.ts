import { ListingCreatedSchema } from '@marketplace/contracts/gen/marketplace/catalog/v1/catalog_pb.ts'
import { topics } from '@marketplace/contracts/topics.ts'
import { consumer, on } from '@marketplace/kit/consumer.ts'
import type { AuctionTables } from '../db.ts'
import { insertFixedPriceListing } from './fixed-price-listings.repo.ts'

/** Remembers which listings are no auctions. */
export const fixedPriceListings = consumer<AuctionTables>(
  'fixed-price-listings',
  [topics.catalog],
  [
    on(ListingCreatedSchema, async (trx, { listing }) => {
      if (listing && !listing.isAuction)
        await insertFixedPriceListing(trx, { listingId: listing.id, sellerId: listing.sellerId })
    }),
  ],
)
