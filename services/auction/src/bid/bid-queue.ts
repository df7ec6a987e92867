import { AsyncLocalStorage } from 'node:async_hooks'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { isPassing } from '@marketplace/kit/passing-error.ts'
import { unavailable } from '@marketplace/kit/problem.ts'

export interface BidQueueOptions<Bid, Answer> {
  /** Decides a group in its order; answers in the same order. */
  decide(listingId: string, bids: readonly Bid[]): Promise<Answer[]>
  /** The most that commit together. */
  batchSize: number
  /** The most that wait at one auction; the next is told to come again. */
  waitingLimit: number
}

interface Waiting<Bid, Answer> {
  bid: Bid
  // Whoever is first in a group lends it the context of their request: its logs and trace.
  inContext: <Result>(work: () => Result) => Result
  resolve(answer: Answer): void
  reject(reason: unknown): void
}

/** Bids of one auction wait for each other and commit in groups: while one does, the next collects. No timer delays any. */
export function openBidQueue<Bid, Answer>(options: BidQueueOptions<Bid, Answer>) {
  const queues = new Map<string, Waiting<Bid, Answer>[]>()

  async function drain(listingId: string, queue: Waiting<Bid, Answer>[]): Promise<void> {
    do {
      await answerAll(options, listingId, queue.splice(0, options.batchSize))
      // Whoever has come meanwhile, or comes again on this answer, is in the next group instead of behind it.
      await nextTurn()
    } while (queue.length > 0)
    queues.delete(listingId)
  }

  function join(listingId: string, waiting: Waiting<Bid, Answer>): void {
    const queue = queues.get(listingId)
    if (queue && queue.length >= options.waitingLimit) return waiting.reject(unavailable('Bidding on this auction'))
    if (queue) return void queue.push(waiting)
    const fresh = [waiting]
    queues.set(listingId, fresh)
    void drain(listingId, fresh)
  }

  return (listingId: string, bid: Bid): Promise<Answer> =>
    new Promise((resolve, reject) => {
      join(listingId, { bid, inContext: AsyncLocalStorage.snapshot(), resolve, reject })
    })
}

async function answerAll<Bid, Answer>(
  options: BidQueueOptions<Bid, Answer>,
  listingId: string,
  group: readonly Waiting<Bid, Answer>[],
): Promise<void> {
  const [first] = group
  if (!first) return
  try {
    const bids = group.map(({ bid }) => bid)
    const answers = await first.inContext(() => options.decide(listingId, bids))
    answers.forEach((answer, place) => group[place]?.resolve(answer))
  } catch (error) {
    // One that cannot be stored must not take the others with it; a database that is away fails all of them alike.
    if (group.length > 1 && !isPassing(error))
      for (const waiting of group) await answerAll(options, listingId, [waiting])
    else for (const waiting of group) waiting.reject(error)
  }
}
