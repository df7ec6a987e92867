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
  /** When so many wait, a second group is decided beside the first, where that is possible. */
  overlapFrom: number
  canOverlap(listingId: string): boolean
}

interface Waiting<Bid, Answer> {
  bid: Bid
  // Whoever is first in a group lends it the context of their request: its logs and trace.
  inContext: <Result>(work: () => Result) => Result
  resolve(answer: Answer): void
  reject(reason: unknown): void
}

interface Queue<Bid, Answer> {
  waiting: Waiting<Bid, Answer>[]
  /** How many bids each group has that is being decided: no group, one or two. */
  deciding: Set<{ size: number }>
}

/**
 * Bids of one auction wait for each other and commit in groups: while one does, the next collects. No timer delays any.
 * A crowd is halved, so that one half is judged while the other commits.
 */
export function openBidQueue<Bid, Answer>(options: BidQueueOptions<Bid, Answer>) {
  const queues = new Map<string, Queue<Bid, Answer>>()

  function nextSize(listingId: string, { waiting, deciding }: Queue<Bid, Answer>): number {
    const { batchSize, overlapFrom, canOverlap } = options
    const [other] = deciding
    if (deciding.size > 1 || waiting.length < (other ? overlapFrom : 1)) return 0
    if (!canOverlap(listingId)) return other ? 0 : batchSize
    const half = Math.ceil((waiting.length + (other?.size ?? 0)) / 2)
    return Math.min(batchSize, Math.max(overlapFrom, half))
  }

  function advance(listingId: string, queue: Queue<Bid, Answer>): void {
    for (let size = nextSize(listingId, queue); size > 0; size = nextSize(listingId, queue)) {
      void decide(listingId, queue, queue.waiting.splice(0, size))
    }
    if (queue.deciding.size === 0) queues.delete(listingId)
  }

  async function decide(listingId: string, queue: Queue<Bid, Answer>, group: Waiting<Bid, Answer>[]): Promise<void> {
    const one = { size: group.length }
    queue.deciding.add(one)
    await answerAll(options, listingId, group)
    // Whoever has come meanwhile, or comes again on this answer, is in the next group instead of behind it.
    await nextTurn()
    queue.deciding.delete(one)
    advance(listingId, queue)
  }

  function join(listingId: string, waiting: Waiting<Bid, Answer>): void {
    const queue = queues.get(listingId) ?? { waiting: [], deciding: new Set() }
    if (queue.waiting.length >= options.waitingLimit) return waiting.reject(unavailable('Bidding on this auction'))
    queue.waiting.push(waiting)
    queues.set(listingId, queue)
    advance(listingId, queue)
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
