import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import {
  AuctionClosedSchema,
  AuctionEndedSchema,
  AuctionOutcome,
  BidPlacedSchema,
} from '@marketplace/contracts/gen/marketplace/auction/v1/auction_pb.ts'
import { topics } from '@marketplace/contracts/topics.ts'
import type { OutgoingEvent } from '@marketplace/kit/outbox.ts'
import type { Auction, Bid, Closing } from './auction.ts'
import { termsOf } from './terms.ts'

export interface Ended {
  auction: Auction
  saleId: string
  endedAt: Date
}

const outcomes = { won: AuctionOutcome.WON, no_sale: AuctionOutcome.NO_SALE, buy_now: AuctionOutcome.BUY_NOW } as const

/** The bid that now leads this auction; `placedAt` is the statement's to tell that stores it. */
export function bidPlaced(auction: Auction, bid: Bid): OutgoingEvent<typeof BidPlacedSchema> {
  return {
    topic: topics.auction,
    key: auction.listingId,
    version: auction.number,
    schema: BidPlacedSchema,
    message: {
      listingId: auction.listingId,
      bidId: bid.id,
      bidderId: bid.bidderId,
      amountCents: bid.amount,
      bidCount: auction.bidCount,
      number: BigInt(auction.number),
      endAt: timestampFromDate(auction.endAt),
    },
  }
}

/** The end has come under the checkout of this sale, which payments settles now. */
export function auctionEnded({ auction, saleId, endedAt }: Ended): OutgoingEvent<typeof AuctionEndedSchema> {
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
    terms: termsOf(auction, win.price),
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
