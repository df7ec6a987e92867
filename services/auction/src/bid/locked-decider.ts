import { transaction } from '@marketplace/kit/db/db.ts'
import { findResponses } from '@marketplace/kit/idempotency/stored-responses.ts'
import { publishAll } from '@marketplace/kit/events/outbox.ts'
import { lockAuction } from '../auction/auctions.repo.ts'
import { closeLockedAuctions, logClosingResult, type ClosingResult } from '../auction/close-auctions.ts'
import type { Context } from '../context.ts'
import type { AuctionTables, Trx } from '../db.ts'
import { findFixedPriceListing } from '../listing/fixed-price-listings.repo.ts'
import type { AuctionAt, BidBatch, BidDecider, BidRequest, Decision } from './bid-decider.ts'
import { decisions } from './bid-metrics.ts'
import { responseWithoutAuction, type BidBody, type BidResponse } from './bid-responses.ts'
import { firstPurchaseLeadOf } from '../bidder/first-purchase-lead.ts'
import { readBidders } from '../bidder/bidders.repo.ts'
import { insertBids } from './bids.repo.ts'
import {
  biddersOf,
  boundsOf,
  evaluateSlots,
  logPlacedBids,
  requestsOf,
  toAcceptedBids,
  toBidPlacedEvents,
  toResponse,
  toResponses,
  type Slots,
} from './evaluate-batch.ts'
import { partitionByKey } from './idempotency/partition-by-key.ts'
import { IdempotencyConflict, storeBidResponses } from './idempotency/stored-responses.ts'

interface Outcome {
  responses: ReadonlyMap<BidRequest, BidResponse>
  change: Decision['change']
  closing: ClosingResult
}

/** Decides each batch in one transaction that locks the auction's row. */
export function lockedDecider(ctx: Context): BidDecider {
  return { decide: (batch) => decideBatch(ctx, batch), concurrency: () => 1 }
}

async function decideBatch(ctx: Context, batch: BidBatch): Promise<Decision> {
  decisions.inc({ way: 'locked' })
  try {
    const { outcome, responses } = await transaction(ctx.db, (trx) => decideLocked(ctx, trx, batch))
    logPlacedBids(ctx, outcome.responses)
    logClosingResult(ctx, outcome.closing)
    return { responses, change: outcome.change }
  } catch (error) {
    if (!(error instanceof IdempotencyConflict)) throw error
    // The conflicting transaction has committed, so the next attempt reads its stored response.
    return decideBatch(ctx, batch)
  }
}

async function decideLocked(ctx: Context, trx: Trx, { listingId, bids }: BidBatch) {
  const { auction, now } = await lockAuction(trx, listingId)
  const keys = bids.flatMap(({ idempotencyKey }) => idempotencyKey ?? [])
  // The stored responses are read after the row is locked. Otherwise, responses that another process committed during
  // the wait for the lock would be missing.
  const slots = partitionByKey(bids, await findResponses<AuctionTables, BidBody>(trx, keys))
  const outcome = auction
    ? await placeBids(ctx, trx, { before: { auction, now }, slots })
    : await rejectWithoutAuction(trx, listingId, slots)
  await storeBidResponses(trx, outcome.responses)
  return { outcome, responses: toResponses(slots, outcome.responses) }
}

async function placeBids(
  ctx: Context,
  trx: Trx,
  { before, slots }: { before: AuctionAt; slots: Slots },
): Promise<Outcome> {
  const { now } = before
  const bounds = boundsOf(ctx)
  const bidders = await readBidders(trx, { listingId: before.auction.listingId, bidderIds: biddersOf(slots), bounds })
  const evaluated = evaluateSlots(before, slots, { bounds, bidders })
  const accepted = toAcceptedBids(evaluated)
  if (accepted) {
    await publishAll(trx, toBidPlacedEvents(evaluated, now))
    await insertBids(trx, accepted, {
      placedAt: now,
      firstLead: firstPurchaseLeadOf(accepted.auction, bidders, bounds),
    })
  }
  const auction = accepted?.auction ?? before.auction
  return {
    responses: new Map(evaluated.map((one) => [one.bid.request, toResponse(one, now, ctx.settings)])),
    change: { before: before.auction, after: { auction, now } },
    closing: await closeLockedAuctions(trx, [auction], { now, dueAfterMs: ctx.settings.WIN_PAYMENT_WINDOW_MS }),
  }
}

async function rejectWithoutAuction(trx: Trx, listingId: string, slots: Slots): Promise<Outcome> {
  const listing = await findFixedPriceListing(trx, listingId)
  const responses = new Map(requestsOf(slots).map((request) => [request, responseWithoutAuction(request, listing)]))
  return { responses, change: null, closing: { closings: [], settling: [] } }
}
