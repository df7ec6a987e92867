import type { IdempotentRequest } from '@marketplace/kit/idempotency/key.ts'
import type { Cents } from '@marketplace/kit/values/money.ts'
import type { Auction } from '../auction/auction.ts'
import type { BidResponse } from './bid-responses.ts'

export interface BidRequest {
  listingId: string
  amount: Cents
  /**
   * True if the client sent `confirm: false`. A bid far above the price is then rejected with `confirmation_needed`.
   */
  isUnconfirmed: boolean
  bidderId: string
  bidderName: string
  /** Null for a request without an Idempotency-Key header. */
  idempotencyKey: IdempotentRequest | null
  /** W3C trace context of this request, stored with the bid's event. */
  traceparent?: string | undefined
}

/** Bids on one auction that are evaluated in order and committed in one transaction. */
export interface BidBatch {
  listingId: string
  bids: readonly BidRequest[]
}

/** The state of an auction, and the database's time at which it was read or written. */
export interface AuctionAt {
  auction: Auction
  now: Date
}

export interface Decision {
  /** One response per bid, in the batch's order. */
  responses: BidResponse[]
  /** The auction before and after the batch; null if the listing has no auction. */
  change: { before: Auction; after: AuctionAt } | null
}

export interface BidDecider {
  /** Decides a batch and resolves once the decision is committed. */
  decide(batch: BidBatch): Promise<Decision>
  /** Returns how many batches of this auction can be in progress at the same time. */
  concurrency(listingId: string): 1 | 2
}
