import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import {
  AuctionClosedSchema,
  AuctionEndedSchema,
  AuctionOutcome,
  BidPlacedSchema,
} from '@marketplace/contracts/gen/marketplace/auction/v1/auction_pb.ts'
import { topics } from '@marketplace/contracts/topics.ts'
import type { OutgoingEvent } from '@marketplace/kit/events/outbox.ts'
import type { Auction, Bid, Closing } from './auction.ts'
import { toSaleTerms } from './sale-terms.ts'

export interface EndedAuction {
  auction: Auction
  /** The sale whose checkout was open when the auction ended. */
  saleId: string
  endedAt: Date
}

const outcomes = { won: AuctionOutcome.WON, no_sale: AuctionOutcome.NO_SALE, buy_now: AuctionOutcome.BUY_NOW } as const

interface PublishedBid extends Bid {
  maskedBidder: string
}

/**
 * Builds the event of an accepted bid. If `placedAt` is omitted, the SQL statement that stores the event must set the
 * time.
 */
export function bidPlaced(auction: Auction, bid: PublishedBid, placedAt?: Date): OutgoingEvent<typeof BidPlacedSchema> {
  return {
    topic: topics.auction,
    key: auction.listingId,
    version: auction.number,
    schema: BidPlacedSchema,
    message: {
      listingId: auction.listingId,
      bidId: bid.id,
      bidderId: bid.bidderId,
      bidderMask: bid.maskedBidder,
      amountCents: bid.amount,
      bidCount: auction.bidCount,
      number: BigInt(auction.number),
      endAt: timestampFromDate(auction.endAt),
      ...(placedAt && { placedAt: timestampFromDate(placedAt) }),
    },
  }
}

/**
 * Builds the event of an auction that ended while a checkout was open. The payments service reacts by ending the
 * checkout.
 */
export function auctionEnded({ auction, saleId, endedAt }: EndedAuction): OutgoingEvent<typeof AuctionEndedSchema> {
  return {
    topic: topics.auction,
    key: auction.listingId,
    version: auction.number,
    schema: AuctionEndedSchema,
    message: {
      listingId: auction.listingId,
      saleId,
      number: BigInt(auction.number),
      endedAt: timestampFromDate(endedAt),
    },
  }
}

export function auctionClosed({ auction, outcome, closedAt, win }: Closing): OutgoingEvent<typeof AuctionClosedSchema> {
  const sale = win && {
    saleId: win.saleId,
    winnerId: win.buyerId,
    terms: toSaleTerms(auction, win.price),
    dueAt: timestampFromDate(win.dueAt),
  }
  return {
    topic: topics.auction,
    key: auction.listingId,
    version: auction.number,
    schema: AuctionClosedSchema,
    message: {
      listingId: auction.listingId,
      outcome: outcomes[outcome],
      number: BigInt(auction.number),
      closedAt: timestampFromDate(closedAt),
      bidCount: auction.bidCount,
      ...sale,
    },
  }
}
