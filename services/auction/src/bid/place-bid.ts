import type { KeyedRequest } from '@marketplace/kit/idempotency-key.ts'
import { histogram } from '@marketplace/kit/metrics.ts'
import type { Cents } from '@marketplace/kit/money.ts'
import { trace } from '@marketplace/kit/trace.ts'
import type { Context } from '../context.ts'
import { answerRefused, bidTooLow, type BidAnswer } from './bid-answers.ts'
import { openBidQueue } from './bid-queue.ts'
import { decideBids } from './decide-bids.ts'
import { openExpectedAuctions } from './expected-auctions.ts'
import { openSeenPrices } from './seen-prices.ts'

export interface PlaceBid {
  listingId: string
  amount: Cents
  bidderId: string
  bidderName: string
  keyed: KeyedRequest | null
  /** The trace of its request; its group commits in that of the first. */
  traceparent?: string | undefined
}

const groups = { batchSize: 200, waitingLimit: 1000, overlapFrom: 24 }
const together = histogram(
  'auction_commit_size_bids',
  'Bids of one auction that were decided in one commit.',
  [],
  [1, 2, 5, 10, 20, 50, 100, 200],
)
const memory = { keptMs: 5000, size: 10_000 }

/** Opens this process's desk for bids: they queue by auction, and get their answers when their group has committed. */
export function openBidDesk(ctx: Context): (bid: PlaceBid) => Promise<BidAnswer> {
  const seen = openSeenPrices({ ...memory, clock: () => performance.now() })
  const expected = openExpectedAuctions(memory.size)
  const queue = openBidQueue<PlaceBid, BidAnswer>({
    ...groups,
    canOverlap: (listingId) => expected.of(listingId) !== undefined,
    async decide(listingId, bids) {
      const { answers, after } = await decideBids(ctx, { listingId, bids }, expected)
      together.observe(bids.length)
      if (after) seen.note(after.auction, after.now)
      return answers
    },
  })
  return async (bid) => {
    // With a key the first try may have been accepted, and that answer is due.
    const price = bid.keyed === null ? seen.barring(bid) : null
    const traceparent = trace.current()?.traceparent
    return price === null ? queue(bid.listingId, { ...bid, traceparent }) : answerRefused(bidTooLow(price))
  }
}
