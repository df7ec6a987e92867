import { AsyncLocalStorage } from 'node:async_hooks'
import { setImmediate as nextEventLoopTurn } from 'node:timers/promises'
import { isTransient } from '@marketplace/kit/errors/transient-error.ts'
import { unavailable } from '@marketplace/kit/errors/problem.ts'

export interface BidQueueOptions<Bid, Result> {
  /** Decides a batch in order and returns one result per bid, in the same order. */
  decide(listingId: string, bids: readonly Bid[]): Promise<Result[]>
  maxBatchSize: number
  /** Maximum number of waiting bids per auction. Further bids are rejected with `unavailable` (503). */
  maxWaiting: number
  /**
   * While a batch of an auction is in progress, a second batch starts only if at least this many bids are waiting.
   * Fewer bids wait until the first batch ends.
   */
  minSplitSize: number
  /** Returns how many batches of this auction can be in progress at the same time. */
  concurrency(listingId: string): 1 | 2
}

interface Waiting<Bid, Result> {
  bid: Bid
  /** Runs a function in the async context of the bid's request, so that its logs and spans belong to that request. */
  inContext: <Value>(work: () => Value) => Value
  resolve(result: Result): void
  reject(reason: unknown): void
}

interface Queue<Bid, Result> {
  waiting: Waiting<Bid, Result>[]
  /** Batches in progress: none, one or two. */
  inProgress: Set<{ size: number }>
}

/**
 * Creates one queue of bids per auction. Bids that arrive while a batch is in progress form the next batch. If
 * `concurrency` is 2, a long queue is split into two batches that are in progress at the same time.
 */
export function createBidQueue<Bid, Result>(options: BidQueueOptions<Bid, Result>) {
  const queues = new Map<string, Queue<Bid, Result>>()

  function nextBatchSize(listingId: string, { waiting, inProgress }: Queue<Bid, Result>): number {
    const { maxBatchSize, minSplitSize, concurrency } = options
    const [other] = inProgress
    if (inProgress.size > 1 || waiting.length < (other ? minSplitSize : 1)) return 0
    if (concurrency(listingId) === 1) return other ? 0 : maxBatchSize
    const half = Math.ceil((waiting.length + (other?.size ?? 0)) / 2)
    return Math.min(maxBatchSize, Math.max(minSplitSize, half))
  }

  function startBatches(listingId: string, queue: Queue<Bid, Result>): void {
    for (let size = nextBatchSize(listingId, queue); size > 0; size = nextBatchSize(listingId, queue)) {
      void runBatch(listingId, queue, queue.waiting.splice(0, size))
    }
    if (queue.inProgress.size === 0) queues.delete(listingId)
  }

  async function runBatch(listingId: string, queue: Queue<Bid, Result>, batch: Waiting<Bid, Result>[]): Promise<void> {
    const entry = { size: batch.length }
    queue.inProgress.add(entry)
    await decideBatch(options, listingId, batch)
    // Waits one turn of the event loop, so that bids of requests that have already arrived join the next batch.
    await nextEventLoopTurn()
    queue.inProgress.delete(entry)
    startBatches(listingId, queue)
  }

  function enqueue(listingId: string, waiting: Waiting<Bid, Result>): void {
    const queue = queues.get(listingId) ?? { waiting: [], inProgress: new Set() }
    if (queue.waiting.length >= options.maxWaiting) return waiting.reject(unavailable('Bidding on this auction'))
    queue.waiting.push(waiting)
    queues.set(listingId, queue)
    startBatches(listingId, queue)
  }

  return (listingId: string, bid: Bid): Promise<Result> =>
    new Promise((resolve, reject) => {
      enqueue(listingId, { bid, inContext: AsyncLocalStorage.snapshot(), resolve, reject })
    })
}

async function decideBatch<Bid, Result>(
  options: BidQueueOptions<Bid, Result>,
  listingId: string,
  batch: readonly Waiting<Bid, Result>[],
): Promise<void> {
  const [first] = batch
  if (!first) return
  try {
    const bids = batch.map(({ bid }) => bid)
    const results = await first.inContext(() => options.decide(listingId, bids))
    results.forEach((result, index) => batch[index]?.resolve(result))
  } catch (error) {
    // After a permanent error, each bid is decided in its own batch, so that one invalid bid does not fail the others.
    if (batch.length > 1 && !isTransient(error))
      for (const waiting of batch) await decideBatch(options, listingId, [waiting])
    else for (const waiting of batch) waiting.reject(error)
  }
}
