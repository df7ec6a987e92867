import { timestampDate } from '@bufbuild/protobuf/wkt'
import { AuctionClosedSchema, BidPlacedSchema } from '@marketplace/contracts/gen/marketplace/auction/v1/auction_pb.ts'
import { topics } from '@marketplace/contracts/topics.ts'
import { consumer, on, onLatest } from '@marketplace/kit/events/consumer.ts'
import { cents } from '@marketplace/kit/values/money.ts'
import type { CatalogTables } from '../db.ts'
import { deactivateListing } from '../listing/deactivate-listing.ts'
import { upsertAuctionStates } from './auction-states.repo.ts'

/** Stores the highest bid of each auction, and makes the listing inactive when its auction is closed. */
export const auctionNewsConsumer = consumer<CatalogTables>(
  'auction-news',
  [topics.auction],
  [
    onLatest(BidPlacedSchema, async (trx, bids) => {
      const updates = bids.map(({ listingId, amountCents, bidCount }) => ({
        listingId,
        currentBid: cents(amountCents),
        bidCount,
        closedAt: null,
      }))
      await upsertAuctionStates(trx, updates)
    }),
    on(AuctionClosedSchema, async (trx, { listingId, closedAt, bidCount, terms }, event) => {
      const currentBid = terms ? cents(terms.priceCents) : null
      const endedAt = closedAt ? timestampDate(closedAt) : new Date(event.occurredAt)
      await upsertAuctionStates(trx, [{ listingId, currentBid, bidCount, closedAt: endedAt }])
      await deactivateListing(trx, listingId)
    }),
  ],
)
