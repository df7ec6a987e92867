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
 * Creates the service's decider, which first tries the optimistic path and otherwise decides a batch under the row
 * lock.
 */
export function createBidDecider(ctx: Context): BidDecider {
  return withOptimisticPath(ctx, lockedDecider(ctx))
}

/** Creates the function that queues a bid and returns the response once the bid's batch is committed. */
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
    // The cache must not reject a bid with an idempotency key, because it could be a retry of an accepted bid.
    const currentBid = bid.idempotencyKey === null ? recentPrices.rejects(bid) : null
    if (currentBid !== null) return rejectedResponse(bidTooLow(currentBid))
    return enqueue(bid.listingId, { ...bid, traceparent: trace.current()?.traceparent })
  }
}
