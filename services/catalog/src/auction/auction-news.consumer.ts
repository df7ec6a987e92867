import { timestampDate } from '@bufbuild/protobuf/wkt'
import {
  AuctionClosedSchema,
  AuctionOutcome,
  BidPlacedSchema,
  type AuctionClosed,
} from '@marketplace/contracts/gen/marketplace/auction/v1/auction_pb.ts'
import { topics } from '@marketplace/contracts/topics.ts'
import type { BusEvent } from '@marketplace/kit/events/bus.ts'
import { consumer, onAll, onLatest } from '@marketplace/kit/events/consumer.ts'
import { cents } from '@marketplace/kit/values/money.ts'
import type { CatalogTables } from '../db.ts'
import { changeStatuses } from '../listing/life/change-statuses.ts'
import { closeAuction, sell, type StatusChange } from '../listing/life/status.ts'
import { findReleasedWins, upsertAuctionStates, type AuctionUpdate } from './auction-states.repo.ts'

/** Stores the highest bid of each auction, and ends the listing when its auction is closed. */
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
        buyerId: null,
      }))
      await upsertAuctionStates(trx, updates)
    }),
    onAll(AuctionClosedSchema, async (trx, closings, events) => {
      const updates = closings.map((closing, index) => toUpdate(closing, events[index]))
      await upsertAuctionStates(trx, updates)
      const released = await findReleasedWins(
        trx,
        updates.map(({ listingId }) => listingId),
      )
      await changeStatuses(
        trx,
        closings.map((closing, index) => ({
          listingId: closing.listingId,
          change: toChange(closing, { closedAt: updates[index]?.closedAt ?? null, released }),
          traceparent: events[index]?.traceparent,
        })),
      )
    }),
  ],
)

function toChange(
  { outcome, saleId, dueAt }: AuctionClosed,
  { closedAt, released }: { closedAt: Date | null; released: ReadonlySet<string> },
): StatusChange {
  if (outcome === AuctionOutcome.BUY_NOW) return sell
  const isUnpaidWin = outcome === AuctionOutcome.WON && !released.has(saleId)
  return (listing, now) =>
    closeAuction({ closedAt: closedAt ?? now, dueAt: isUnpaidWin && dueAt ? timestampDate(dueAt) : null })(listing, now)
}

function toUpdate(
  { listingId, closedAt, bidCount, terms, winnerId }: AuctionClosed,
  event: BusEvent | undefined,
): AuctionUpdate {
  return {
    listingId,
    currentBid: terms ? cents(terms.priceCents) : null,
    bidCount,
    closedAt: closedAt ? timestampDate(closedAt) : new Date(event?.occurredAt ?? Date.now()),
    buyerId: winnerId || null,
  }
}
