import { expandPicture } from '@marketplace/contracts/pictures.ts'
import { Cents } from '@marketplace/kit/values/money.ts'
import { z } from 'zod'
import { AuctionBid, toAuctionBid } from '../bid/auction-bid.view.ts'
import type { BidHistoryEntry } from '../bid/bids.repo.ts'
import { bidStatuses, type AuctionStanding } from './standings.repo.ts'

const You = z.object({
  standing: z.enum(bidStatuses).meta({ id: 'BidStatus' }),
  best_bid: Cents.nullable(),
  bid_id: z.uuidv7().nullable(),
})

const shared = {
  listing_id: z.uuidv7(),
  state: z
    .enum(['open', 'settling', 'ended'])
    .meta({ description: '`settling`: the end has passed, but the outcome is not decided yet.' }),
  auction_end_date: z.iso.datetime(),
  current_bid: Cents.nullable(),
  final_price: Cents.nullable().meta({
    description: 'The price of the sale after the end. Null without a sale, and after an unpaid sale was released.',
  }),
}

export const AuctionView = z
  .object({
    ...shared,
    starting_bid: Cents,
    minimum_bid: Cents,
    bid_count: z.int(),
    leading_bid_id: z.uuidv7().nullable(),
    outcome: z.enum(['won', 'no_sale', 'buy_now']).nullable(),
    number: z.int(),
    bids: z.array(AuctionBid).meta({ description: 'The newest bids, highest first.' }),
    server_time: z.iso.datetime(),
    you: You.nullable().meta({ description: 'Null for a signed-out visitor.' }),
  })
  .meta({ id: 'Auction' })

export const OwnBids = z
  .object({ ...shared, title: z.string(), image_url: z.string(), you: You })
  .meta({ id: 'OwnBids', description: 'An auction in which the person has bid.' })

export function toAuctionView(
  found: AuctionStanding,
  bids: readonly BidHistoryEntry[],
  isSignedIn: boolean,
): z.output<typeof AuctionView> {
  const { auction, outcome, now } = found
  const { startingBid, leadingBid, bidCount, number } = auction
  return {
    ...toShared(found),
    starting_bid: startingBid,
    minimum_bid: Cents.parse((leadingBid?.amount ?? startingBid) + 1),
    bid_count: bidCount,
    leading_bid_id: leadingBid?.id ?? null,
    outcome,
    number,
    bids: bids.map(toAuctionBid),
    server_time: now.toISOString(),
    you: isSignedIn ? toYou(found) : null,
  }
}

export function toOwnBids(found: AuctionStanding, picturesOrigin: string | undefined): z.output<typeof OwnBids> {
  const { title, imageUrl } = found.auction
  return { ...toShared(found), title, image_url: expandPicture(imageUrl, picturesOrigin), you: toYou(found) }
}

function toShared({ auction, state, finalPrice }: AuctionStanding) {
  return {
    listing_id: auction.listingId,
    state,
    auction_end_date: auction.endAt.toISOString(),
    current_bid: auction.leadingBid?.amount ?? null,
    final_price: finalPrice,
  }
}

function toYou({ standing, ownBid }: AuctionStanding): z.output<typeof You> {
  return { standing, best_bid: ownBid?.amount ?? null, bid_id: ownBid?.id ?? null }
}
