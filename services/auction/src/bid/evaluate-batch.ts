import type { BidPlacedSchema } from '@marketplace/contracts/gen/marketplace/auction/v1/auction_pb.ts'
import { newId } from '@marketplace/kit/values/ids.ts'
import type { OutgoingEvent } from '@marketplace/kit/events/outbox.ts'
import { evaluateBids, type Auction, type Bid, type EvaluatedBid } from '../auction/auction.ts'
import { unrestrictedBidder, type BidBounds, type Bidder } from '../auction/bid-bounds.ts'
import { bidPlaced } from '../auction/auctions.events.ts'
import type { Context } from '../context.ts'
import type { AuctionAt, BidRequest } from './bid-decider.ts'
import { acceptedResponse, rejectedResponse, rejectionError, type BidBody, type BidResponse } from './bid-responses.ts'
import type { SuspensionSettings } from './bounds-errors.ts'
import type { AcceptedBids } from './bids.repo.ts'
import type { BidSlot } from './idempotency/partition-by-key.ts'
import { storedResponse } from './idempotency/stored-responses.ts'
import { maskBidder } from './mask-bidder.ts'

/** A bid that is being evaluated, with the request that placed it. */
export interface Candidate extends Bid {
  request: BidRequest
  maskedBidder: string
}

export type Slots = readonly BidSlot<BidRequest, BidBody>[]

/** Facts that decide which bids of a batch are accepted, besides the auction's state. */
export interface BatchCircumstances {
  bounds: BidBounds
  /** Bidders by id. A bidder who is not in the map is unrestricted. */
  bidders: ReadonlyMap<string, Bidder>
}

/** Evaluates the bids of a batch in order. Requests with the same idempotency key count as one bid. */
export function evaluateSlots(
  { auction, now }: AuctionAt,
  slots: Slots,
  { bounds, bidders }: BatchCircumstances,
): EvaluatedBid<Candidate>[] {
  return evaluateBids(auction, requestsOf(slots).map(toCandidate), ({ bidderId, request: { isUnconfirmed } }) => ({
    now,
    bounds,
    bidder: bidders.get(bidderId) ?? unrestrictedBidder,
    isUnconfirmed,
  }))
}

export function boundsOf({ settings }: Pick<Context, 'settings'>): BidBounds {
  return {
    feeBasisPoints: settings.FEE_BASIS_POINTS,
    maxChargeCents: settings.MAX_CHARGE_CENTS,
    maxExposureCents: settings.MAX_FIRST_PURCHASE_EXPOSURE_CENTS,
  }
}

/**
 * Returns the requests whose bids must be evaluated. Omits requests whose response is already known from an earlier use
 * of the idempotency key.
 */
export function requestsOf(slots: Slots): BidRequest[] {
  return [...new Set(slots.flatMap((slot) => (slot.kind === 'evaluated' ? slot.bid : [])))]
}

/** Returns the ids, without duplicates, of the bidders whose bids must be evaluated. */
export function biddersOf(slots: Slots): string[] {
  return [...new Set(requestsOf(slots).map(({ bidderId }) => bidderId))]
}

/** Returns the accepted bids to store, or null if no bid was accepted. */
export function toAcceptedBids(evaluated: readonly EvaluatedBid<Candidate>[]): AcceptedBids | null {
  const placed = placedBids(evaluated)
  const auction = placed.at(-1)?.auction
  if (!auction) return null
  return { auction, bids: placed.map(({ bid, auction: { number } }) => ({ ...bid, number })) }
}

/**
 * Builds one event per accepted bid. If `placedAt` is omitted, the SQL statement that stores the events must set the
 * time.
 */
export function toBidPlacedEvents(
  evaluated: readonly EvaluatedBid<Candidate>[],
  placedAt?: Date,
): OutgoingEvent<typeof BidPlacedSchema>[] {
  return placedBids(evaluated).map(({ bid, auction }) => ({
    ...bidPlaced(auction, bid, placedAt),
    traceparent: bid.request.traceparent,
  }))
}

export function toResponse(
  { bid, outcome }: EvaluatedBid<Candidate>,
  now: Date,
  settings: SuspensionSettings,
): BidResponse {
  if (outcome.kind === 'accepted') return acceptedResponse({ bid, auction: outcome.auction }, now)
  return rejectedResponse(rejectionError(outcome, settings))
}

/** Returns one response per request of the batch, in the order of the requests. */
export function toResponses(slots: Slots, evaluated: ReadonlyMap<BidRequest, BidResponse>): BidResponse[] {
  return slots.map((slot) => {
    const response = slot.kind === 'known' ? storedResponse(slot.known) : evaluated.get(slot.bid)
    if (!response) throw new Error('A bid has no response.')
    return response
  })
}

export function logPlacedBids(ctx: Context, responses: ReadonlyMap<BidRequest, BidResponse>): void {
  for (const response of responses.values()) {
    if (!response.isError) ctx.log.info({ listingId: response.body.listing_id, bidId: response.body.id }, 'bid placed')
  }
}

function toCandidate(request: BidRequest): Candidate {
  const { bidderId, amount, bidderName } = request
  return { id: newId(), bidderId, amount, request, maskedBidder: maskBidder(bidderName) }
}

function placedBids(evaluated: readonly EvaluatedBid<Candidate>[]): { bid: Candidate; auction: Auction }[] {
  return evaluated.flatMap(({ bid, outcome }) =>
    outcome.kind === 'accepted' ? [{ bid, auction: outcome.auction }] : [],
  )
}
