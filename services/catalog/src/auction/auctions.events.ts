import { timestampDate } from '@bufbuild/protobuf/wkt'
import { AuctionClosedSchema, BidPlacedSchema } from '@marketplace/contracts/gen/marketplace/auction/v1/auction_pb.ts'
import { topics } from '@marketplace/contracts/topics.ts'
import { consumer, on, onNewest } from '@marketplace/kit/consumer.ts'
import { cents } from '@marketplace/kit/money.ts'
import type { CatalogTables } from '../db.ts'
import { endListing } from '../listing/end-listing.ts'
import { keepAuctionNews } from './auction-states.repo.ts'

/** Keeps each auction's newest bid, and takes the listing off the market at its end. */
export const auctionNews = consumer<CatalogTables>(
  'auction-news',
  [topics.auction],
  [
    onNewest(BidPlacedSchema, async (trx, bids) => {
      const news = bids.map(({ listingId, amountCents, bidCount }) => ({
        listingId,
        currentBid: cents(amountCents),
        bidCount,
        closedAt: null,
      }))
      await keepAuctionNews(trx, news)
    }),
    on(AuctionClosedSchema, async (trx, { listingId, closedAt, bidCount, terms }, event) => {
      const currentBid = terms ? cents(terms.priceCents) : null
      const endedAt = closedAt ? timestampDate(closedAt) : new Date(event.occurredAt)
      await keepAuctionNews(trx, [{ listingId, currentBid, bidCount, closedAt: endedAt }])
      await endListing(trx, listingId)
    }),
  ],
)
