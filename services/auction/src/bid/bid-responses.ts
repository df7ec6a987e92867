import type { StoredResponse } from '@marketplace/kit/idempotency/stored-responses.ts'
import { Cents } from '@marketplace/kit/values/money.ts'
import { conflict, forbidden, missing, problemOf, type DomainError } from '@marketplace/kit/errors/problem.ts'
import { z } from 'zod'
import type { Auction, Bid, BidRejection } from '../auction/auction.ts'
import { biddingSuspended, outOfBounds, type SuspensionSettings } from './bounds-errors.ts'

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
export type BidResponse = StoredResponse<BidBody>

/** An accepted bid, and the state of its auction directly after the bid. */
export interface PlacedBid {
  bid: Bid
  auction: Auction
}

/** Fields of the response body that contain the time of the bid. */
export const timestampFields = ['created_at', 'updated_at'] as const

export function bodyWithoutTimestamps({ bid, auction }: PlacedBid): Omit<BidBody, (typeof timestampFields)[number]> {
  return {
    id: bid.id,
    listing_id: auction.listingId,
    user_id: bid.bidderId,
    amount: bid.amount,
    is_winning: auction.leadingBid?.id === bid.id,
    current_bid: auction.leadingBid?.amount ?? bid.amount,
    bid_count: auction.bidCount,
    auction_end_date: auction.endAt.toISOString(),
  }
}

export function acceptedResponse(placed: PlacedBid, placedAt: Date): BidResponse {
  const at = placedAt.toISOString()
  return { isError: false, status: 201, body: { created_at: at, updated_at: at, ...bodyWithoutTimestamps(placed) } }
}

export function rejectedResponse(error: DomainError): BidResponse {
  return { isError: true, ...problemOf(error) }
}

export function responseWithoutAuction(
  bid: { bidderId: string },
  listing: { sellerId: string } | undefined,
): BidResponse {
  if (!listing) return rejectedResponse(missing('listing'))
  if (listing.sellerId === bid.bidderId) return rejectedResponse(ownListing())
  return rejectedResponse(conflict('not_an_auction', 'This item has a fixed price and does not accept bids.'))
}

export function rejectionError(
  rejected: BidRejection & { auction: Auction },
  settings: SuspensionSettings,
): DomainError {
  if (rejected.reason === 'own_listing') return ownListing()
  if (rejected.reason === 'seller_unavailable')
    return forbidden('seller_unavailable', "This seller isn't available to you.")
  if (rejected.reason === 'bidding_suspended') return biddingSuspended(rejected.until, settings)
  if (rejected.reason === 'auction_ended') return conflict('auction_ended', 'This auction has ended.')
  if (rejected.reason === 'bid_too_low') return bidTooLow(rejected.auction.leadingBid?.amount ?? null)
  return outOfBounds(rejected)
}

/**
 * Error for a bid that is not higher than the leading bid `currentBid`. If `currentBid` is null, the auction has no
 * bids, and the new bid is not higher than the starting bid.
 */
export function bidTooLow(currentBid: Cents | null): DomainError {
  const message =
    currentBid === null
      ? 'Your bid must be higher than the starting bid.'
      : 'Your bid must be higher than the current bid.'
  return conflict('bid_too_low', message, { current_bid: currentBid })
}

function ownListing(): DomainError {
  return forbidden('own_listing', 'You cannot bid on your own listing.')
}
