import { databaseTime, transaction } from '@marketplace/kit/db.ts'
import { newId } from '@marketplace/kit/ids.ts'
import type { Cents } from '@marketplace/kit/money.ts'
import { publish } from '@marketplace/kit/outbox.ts'
import { conflict, forbidden, missing, type DomainError } from '@marketplace/kit/problem.ts'
import { judgeBid, type Auction, type Bid, type BidRefusal, type Closing } from '../auction/auction.ts'
import { bidPlaced } from '../auction/auctions.events.ts'
import { lockAuction, saveBidding } from '../auction/auctions.repo.ts'
import { closeLocked, logClosings } from '../auction/close-auctions.ts'
import type { Context } from '../context.ts'
import type { Trx } from '../db.ts'
import { findFixedPriceListing } from '../listing/fixed-price-listings.repo.ts'
import { maskBidder } from './bidder.ts'
import { insertBid } from './bids.repo.ts'

export interface PlaceBid {
  listingId: string
  amount: Cents
  bidderId: string
  bidderName: string
}

export interface PlacedBid {
  bid: Bid
  placedAt: Date
  /** As of this bid's place in the order. */
  auction: Auction
}

type Outcome = { kind: 'placed'; placed: PlacedBid } | { kind: 'refused'; error: DomainError; closings: Closing[] }

/** Places a bid, or throws why not. A bid that finds the auction past its end closes it. */
export async function placeBid(ctx: Context, command: PlaceBid): Promise<PlacedBid> {
  const outcome = await transaction(ctx.db, (trx) => decide(ctx, trx, command))
  // Thrown after the commit only: a refusal must not undo the closing that came with it.
  if (outcome.kind === 'refused') {
    logClosings(ctx, outcome.closings)
    throw outcome.error
  }
  ctx.log.info({ listingId: command.listingId, bidId: outcome.placed.bid.id }, 'bid placed')
  return outcome.placed
}

async function decide(ctx: Context, trx: Trx, command: PlaceBid): Promise<Outcome> {
  const auction = await lockAuction(trx, command.listingId)
  if (!auction) return { kind: 'refused', error: await refuseWithoutAuction(trx, command), closings: [] }
  const now = await databaseTime(trx)
  const bid: Bid = { id: newId(), bidderId: command.bidderId, amount: command.amount }
  const verdict = judgeBid(auction, bid, now)
  if (verdict.kind === 'refused') {
    const closings = await closeLocked(trx, [auction], { now, dueAfterMs: ctx.settings.WIN_DUE_MS })
    return { kind: 'refused', error: refusalErrors[verdict.refusal](auction), closings }
  }
  const { auction: next } = verdict
  const { listingId, number } = next
  await insertBid(trx, { ...bid, listingId, number, maskedBidder: maskBidder(command.bidderName), placedAt: now })
  await saveBidding(trx, next)
  await publish(trx, bidPlaced(next, bid, now))
  return { kind: 'placed', placed: { bid, placedAt: now, auction: next } }
}

async function refuseWithoutAuction(trx: Trx, { listingId, bidderId }: PlaceBid): Promise<DomainError> {
  const listing = await findFixedPriceListing(trx, listingId)
  if (!listing) return missing('listing')
  if (listing.sellerId === bidderId) return ownListing()
  return conflict('not_an_auction', 'This item has a fixed price; it takes no bids.')
}

const refusalErrors: Record<BidRefusal, (auction: Auction) => DomainError> = {
  own_listing: ownListing,
  auction_ended: () => conflict('auction_ended', 'This auction has ended.'),
  bid_too_low: bidTooLow,
}

function ownListing(): DomainError {
  return forbidden('own_listing', 'You cannot bid on your own listing.')
}

function bidTooLow({ lead }: Auction): DomainError {
  const message = lead
    ? 'Your bid must be higher than the current bid.'
    : 'Your bid must be higher than the starting bid.'
  return conflict('bid_too_low', message, { current_bid: lead?.amount ?? null })
}
