import { trace } from '@marketplace/kit/telemetry/trace.ts'
import type { Context } from '../context.ts'
import type { BidDecider, BidRequest } from './bid-decider.ts'
import { batchSizes } from './bid-metrics.ts'
import { createBidQueue } from './bid-queue.ts'
import { bidTooLow, rejectedResponse, type BidResponse } from './bid-responses.ts'
import { lockedDecider } from './locked-decider.ts'
import { withOptimisticPath } from './optimistic/optimistic-path.ts'
import { createRecentPrices } from './recent-prices.ts'

const queueLimits = { maxBatchSize: 200, maxWaiting: 1000, minSplitSize: 24 }
const recentPriceLimits = { ttlMs: 5000, maxAuctions: 10_000 }

export type PlaceBid = (bid: BidRequest) => Promise<BidResponse>

/**
 * Creates the decider that the service uses. It first tries to store a batch optimistically with a single statement. If
 * that fails, `lockedDecider` decides the batch.
 */
export function createBidDecider(ctx: Context): BidDecider {
  return withOptimisticPath(ctx, lockedDecider(ctx))
}

/**
 * Creates the entry point for bids. Each auction has a queue, and the promise of a bid resolves after the bid's batch
 * has committed.
 */
export function createPlaceBid(decider: BidDecider): PlaceBid {
  const recentPrices = createRecentPrices({ ...recentPriceLimits, clock: () => performance.now() })
  const enqueue = createBidQueue<BidRequest, BidResponse>({
    ...queueLimits,
    concurrency: (listingId) => decider.concurrency(listingId),
    async decide(listingId, bids) {
      const { responses, change } = await decider.decide({ listingId, bids })
      batchSizes.observe(bids.length)
      if (change) recentPrices.record(change.after)
      return responses
    },
  })
  return async (bid) => {
    // A bid with an idempotency key is never rejected from memory. It could be a retry of an accepted bid, and then the
    // stored response must be returned.
    const currentBid = bid.idempotencyKey === null ? recentPrices.rejects(bid) : null
    if (currentBid !== null) return rejectedResponse(bidTooLow(currentBid))
    return enqueue(bid.listingId, { ...bid, traceparent: trace.current()?.traceparent })
  }
}
