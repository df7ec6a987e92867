import { isKeyConflict, type NewResponse } from '@marketplace/kit/idempotency/stored-responses.ts'
import { totalOf } from '@marketplace/contracts/fee.ts'
import type { EvaluatedBid } from '../../auction/auction.ts'
import type { BidBounds } from '../../auction/bid-bounds.ts'
import { leadOf } from '../../bidder/first-purchase-lead.ts'
import type { Context } from '../../context.ts'
import type { BidBatch, BidDecider, BidRequest, Decision } from '../bid-decider.ts'
import { decisions } from '../bid-metrics.ts'
import { bodyWithoutTimestamps, rejectedResponse, rejectionError, type BidBody } from '../bid-responses.ts'
import type { SuspensionSettings } from '../bounds-errors.ts'
import { partitionByKey } from '../idempotency/partition-by-key.ts'
import {
  boundsOf,
  evaluateSlots,
  logPlacedBids,
  toAcceptedBids,
  toBidPlacedEvents,
  toResponse,
  toResponses,
  type Candidate,
} from '../evaluate-batch.ts'
import { createAuctionSnapshots, type AuctionSnapshots } from './auction-snapshots.ts'
import { insertBidsIfUnchanged } from './bids-if-unchanged.repo.ts'

const maxAuctions = 10_000

/**
 * Returns a decider that first tries to store a batch of bids with one statement, which assumes that the auction still
 * has the state that this process last wrote (ADR-0013). Falls back to `locked`, which locks the auction's row first,
 * for example if another process has changed the auction.
 */
export function withOptimisticPath(ctx: Context, locked: BidDecider): BidDecider {
  const snapshots = createAuctionSnapshots(maxAuctions)
  return {
    concurrency: (listingId) => (snapshots.get(listingId) ? 2 : locked.concurrency(listingId)),
    async decide(batch) {
      return (await decideOptimistically(ctx, batch, snapshots)) ?? decideLocked(locked, batch, snapshots)
    },
  }
}

async function decideLocked(locked: BidDecider, batch: BidBatch, snapshots: AuctionSnapshots): Promise<Decision> {
  snapshots.invalidate(batch.listingId)
  const decision = await locked.decide(batch)
  if (decision.change) snapshots.record(decision.change.after, decision.change.before)
  return decision
}

/**
 * Decides a batch with one statement, based on the last state of the auction that this process wrote. Returns null if
 * the batch must be decided under the row lock instead: that state is not cached, no bid is accepted, the auction has
 * changed, an idempotency key was used before, or a bidder is suspended or might exceed the limit for first-time
 * buyers.
 */
async function decideOptimistically(
  ctx: Context,
  { listingId, bids }: BidBatch,
  snapshots: AuctionSnapshots,
): Promise<Decision | null> {
  const before = snapshots.get(listingId)
  if (!before) return null
  const slots = partitionByKey<BidRequest, BidBody>(bids, new Map())
  const bounds = boundsOf(ctx)
  // Evaluates the bids as if the auction is unchanged and no bidder is restricted; `insertBidsIfUnchanged` checks both.
  const evaluated = evaluateSlots(before, slots, { bounds, bidders: new Map() })
  const accepted = toAcceptedBids(evaluated)
  if (!accepted) return null
  // Records the new state before the statement is sent, so that the next batch can be evaluated during the commit.
  snapshots.recordPending({ auction: accepted.auction, now: before.now })
  const now = await insertBidsIfUnchanged(ctx.db, {
    before: before.auction,
    accepted,
    events: toBidPlacedEvents(evaluated),
    responses: evaluated.flatMap((one) => toPendingResponse(one, ctx.settings)),
    bidderTotals: toBidderTotals(evaluated, bounds),
    firstLead: leadOf(accepted.auction, bounds),
    bounds,
  }).catch((error: unknown) => {
    snapshots.invalidate(listingId)
    if (isKeyConflict(error)) return null
    throw error
  })
  decisions.inc({ way: now ? 'ahead' : 'missed' })
  if (!now) return null
  const responses = new Map(evaluated.map((one) => [one.bid.request, toResponse(one, now, ctx.settings)]))
  logPlacedBids(ctx, responses)
  const change = { before: before.auction, after: { auction: accepted.auction, now } }
  return { responses: toResponses(slots, responses), change }
}

/** Returns, by bidder id, the highest accepted bid plus shipping and fee, in cents; 0 if no bid was accepted. */
function toBidderTotals(
  evaluated: readonly EvaluatedBid<Candidate>[],
  { feeBasisPoints }: BidBounds,
): Map<string, number> {
  const totals = new Map<string, number>()
  for (const { bid, outcome } of evaluated) {
    const total = outcome.kind === 'accepted' ? totalOf(bid.amount, outcome.auction.shipping, feeBasisPoints) : 0
    totals.set(bid.bidderId, Math.max(totals.get(bid.bidderId) ?? 0, total))
  }
  return totals
}

/**
 * Returns the response to store under the request's idempotency key, or nothing if the request has no key. A response
 * to an accepted bid has no timestamps: the statement that stores the response sets them to the database's time.
 */
function toPendingResponse({ bid, outcome }: EvaluatedBid<Candidate>, settings: SuspensionSettings): NewResponse[] {
  const { idempotencyKey: keyed } = bid.request
  if (keyed === null) return []
  const { auction } = outcome
  if (outcome.kind === 'accepted') return [{ keyed, status: 201, body: bodyWithoutTimestamps({ bid, auction }) }]
  const { status, body } = rejectedResponse(rejectionError(outcome, settings))
  return [{ keyed, status, body }]
}
