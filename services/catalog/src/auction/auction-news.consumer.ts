import { timestampDate } from '@bufbuild/protobuf/wkt'
import {
  AuctionClosedSchema,
  BidPlacedSchema,
  type AuctionClosed,
} from '@marketplace/contracts/gen/marketplace/auction/v1/auction_pb.ts'
import { topics } from '@marketplace/contracts/topics.ts'
import type { BusEvent } from '@marketplace/kit/events/bus.ts'
import { consumer, onAll, onLatest } from '@marketplace/kit/events/consumer.ts'
import { cents } from '@marketplace/kit/values/money.ts'
import type { CatalogTables } from '../db.ts'
import { deactivateListings } from '../listing/deactivate-listings.ts'
import { upsertAuctionStates, type AuctionUpdate } from './auction-states.repo.ts'

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
    onAll(AuctionClosedSchema, async (trx, closings, events) => {
      const updates = closings.map((closing, index) => toUpdate(closing, events[index]))
      await upsertAuctionStates(trx, updates)
      await deactivateListings(
        trx,
        closings.map(({ listingId }, index) => ({ listingId, traceparent: events[index]?.traceparent })),
      )
    }),
  ],
)

function toUpdate({ listingId, closedAt, bidCount, terms }: AuctionClosed, event: BusEvent | undefined): AuctionUpdate {
  return {
    listingId,
    currentBid: terms ? cents(terms.priceCents) : null,
    bidCount,
    closedAt: closedAt ? timestampDate(closedAt) : new Date(event?.occurredAt ?? Date.now()),
  }
}
