import type { Answer, KnownKey } from '@marketplace/kit/idempotency-answers.ts'
import { keyInProgress, keyReused } from '@marketplace/kit/idempotency-key.ts'
import { Cents } from '@marketplace/kit/money.ts'
import { conflict, forbidden, missing, problemOf, type DomainError } from '@marketplace/kit/problem.ts'
import { z } from 'zod'
import type { Auction, Bid, BidRefusal } from '../auction/auction.ts'

export const BidBody = z
  .object({
    id: z.uuidv7(),
    listing_id: z.uuidv7(),
    user_id: z.uuidv7(),
    amount: Cents,
    is_winning: z.boolean(),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
    current_bid: Cents,
    bid_count: z.int(),
    auction_end_date: z.iso.datetime(),
  })
  .meta({ id: 'Bid' })

export type BidBody = z.output<typeof BidBody>
export type BidAnswer = Answer<BidBody>

/** An accepted bid, with the auction as of its place in the order. */
export interface PlacedBid {
  bid: Bid
  auction: Auction
}

/** The fields of an accepted bid's answer that tell when it was placed. */
export const placedFields = ['created_at', 'updated_at'] as const

/** What an accepted bid is answered but for the time. */
export function bodyWithoutTime({ bid, auction }: PlacedBid): Omit<BidBody, (typeof placedFields)[number]> {
  return {
    id: bid.id,
    listing_id: auction.listingId,
    user_id: bid.bidderId,
    amount: bid.amount,
    is_winning: auction.lead?.id === bid.id,
    current_bid: auction.lead?.amount ?? bid.amount,
    bid_count: auction.bidCount,
    auction_end_date: auction.endAt.toISOString(),
  }
}

export function answerPlaced(placed: PlacedBid, placedAt: Date): BidAnswer {
  const at = placedAt.toISOString()
  return { isRefusal: false, status: 201, body: { created_at: at, updated_at: at, ...bodyWithoutTime(placed) } }
}

export function answerRefused(error: DomainError): BidAnswer {
  return { isRefusal: true, ...problemOf(error) }
}

/** What a key that was used before gets. A bid is never seen running: its key is stored with its answer. */
export function answerKnown(known: KnownKey<BidBody>): BidAnswer {
  if (known.state === 'done') return known.answer
  return answerRefused(known.state === 'reused' ? keyReused() : keyInProgress())
}

export function refusalError(refusal: BidRefusal, { lead }: Auction): DomainError {
  if (refusal === 'own_listing') return ownListing()
  if (refusal === 'auction_ended') return conflict('auction_ended', 'This auction has ended.')
  return bidTooLow(lead?.amount ?? null)
}

/** What a bid on something without an auction gets. */
export function answerWithoutAuction(bid: { bidderId: string }, listing: { sellerId: string } | undefined): BidAnswer {
  if (!listing) return answerRefused(missing('listing'))
  if (listing.sellerId === bid.bidderId) return answerRefused(ownListing())
  return answerRefused(conflict('not_an_auction', 'This item has a fixed price; it takes no bids.'))
}

function ownListing(): DomainError {
  return forbidden('own_listing', 'You cannot bid on your own listing.')
}

/** With the price that the bid was compared with; null while there was none but the starting bid. */
export function bidTooLow(price: Cents | null): DomainError {
  const message =
    price === null ? 'Your bid must be higher than the starting bid.' : 'Your bid must be higher than the current bid.'
  return conflict('bid_too_low', message, { current_bid: price })
}
