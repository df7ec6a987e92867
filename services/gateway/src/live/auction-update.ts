import { fromJson } from '@bufbuild/protobuf'
import { timestampDate } from '@bufbuild/protobuf/wkt'
import {
  AuctionClosedSchema,
  AuctionEndedSchema,
  BidPlacedSchema,
  type BidPlaced,
} from '@marketplace/contracts/gen/marketplace/auction/v1/auction_pb.ts'
import type { BusEvent } from '@marketplace/kit/events/bus.ts'
import { cents } from '@marketplace/kit/values/money.ts'
import type { AuctionUpdate } from './auction-state.ts'
import { boundBidder, type BidLine } from './bid-lines.ts'

const options = { ignoreUnknownFields: true }

/** Converts an event to an auction update. Returns null for event types that do not change an auction's live state. */
export function parseAuctionUpdate({ type, payload }: BusEvent): AuctionUpdate | null {
  if (type === BidPlacedSchema.typeName) return bidUpdate(fromJson(BidPlacedSchema, payload, options))
  if (type === AuctionEndedSchema.typeName) return endUpdate(fromJson(AuctionEndedSchema, payload, options))
  if (type === AuctionClosedSchema.typeName) return endUpdate(fromJson(AuctionClosedSchema, payload, options))
  return null
}

function bidUpdate(bid: BidPlaced): AuctionUpdate {
  const { number, amountCents, bidCount } = bid
  return {
    number: Number(number),
    bid: { amount: cents(amountCents), count: bidCount },
    bids: linesOf(bid),
    hasEnded: false,
  }
}

// Returns an empty list if an earlier version of the auction service sent the bid without a masked bidder name.
function linesOf({ bidId, amountCents, placedAt, bidderMask }: BidPlaced): BidLine[] {
  if (bidderMask === '' || placedAt === undefined) return []
  const at = timestampDate(placedAt).toISOString()
  return [{ id: bidId, amount: cents(amountCents), placedAt: at, bidder: boundBidder(bidderMask) }]
}

function endUpdate({ number }: { number: bigint }): AuctionUpdate {
  return { number: Number(number), bid: null, bids: [], hasEnded: true }
}
