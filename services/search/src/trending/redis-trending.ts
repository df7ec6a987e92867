import type { RedisCache } from '@marketplace/kit/redis.ts'
import type { Log } from '@marketplace/kit/log.ts'
import { z } from 'zod'
import type { Db } from '../db.ts'
import { recentAnswers } from '../recent-answers.ts'
import { readCountsSince, type Stretch } from './counts.repo.ts'
import { readTop, takeIn, trendingKeys } from './redis-scripts.ts'
import { maxTrending, type TrendingStore } from './trending-store.ts'

// Taking in so many takes Redis a few milliseconds of its 40.
const maxTakenIn = 1000

// A count's time is its statement's, and it is seen after the commit: no statement runs longer.
const lateMicros = 10_000_000

interface RedisTrending {
  db: Db
  redis: RedisCache
  log: Log
  /** Whom to ask while Redis does not answer, or does not have it all yet. */
  history: TrendingStore
}

/**
 * Counts in Redis, which takes in the history behind it, by whichever process asks first after a second. It is never told a
 * count otherwise: what was lost with it comes again from the history.
 */
export function redisTrending({ db, redis, log, history }: RedisTrending): TrendingStore {
  const catchUp = oneAtATime(() => takeInHistory(db, redis))

  async function mostCounted(): Promise<string[]> {
    const known = await readRedis(redis)
    if (!known) return history.top(maxTrending)
    if (known.isFresh) return known.terms
    if (!known.isComplete) {
      catchUp().catch((error: unknown) => log.warn({ err: error }, 'trending was not taken in'))
      return history.top(maxTrending)
    }
    await catchUp()
    const caughtUp = await readRedis(redis)
    return caughtUp?.isComplete ? caughtUp.terms : history.top(maxTrending)
  }

  const recent = recentAnswers(1, mostCounted)
  return { top: async (limit) => (await recent('all')).slice(0, limit) }
}

// From where Redis ends, in steps, until nothing is left; another process may do the same, and neither harms the other.
async function takeInHistory(db: Db, redis: RedisCache): Promise<void> {
  const known = await readRedis(redis)
  let from = known && known.until > lateMicros ? known.until - lateMicros : 0
  for (;;) {
    const stretch = await readCountsSince(db, from, maxTakenIn)
    const isLast = stretch.counts.length < maxTakenIn
    const isTaken = await redis.run(takeIn, trendingKeys, argumentsOf(from, stretch, isLast))
    if (isTaken !== 1 || isLast) return
    from = stretch.until
  }
}

function argumentsOf(from: number, { counts, until }: Stretch, isLast: boolean): (string | number)[] {
  return [from, until, isLast ? 1 : 0, ...counts.flatMap(({ id, countedAt, key, term }) => [id, countedAt, key, term])]
}

const Answer = z.tuple([z.number(), z.number(), z.coerce.number()]).rest(z.string())

interface Known {
  isComplete: boolean
  isFresh: boolean
  until: number
  terms: string[]
}

async function readRedis(redis: RedisCache): Promise<Known | undefined> {
  const answer = await redis.run(readTop, trendingKeys, [maxTrending])
  const parsed = Answer.safeParse(answer)
  if (!parsed.success) return undefined
  const [isComplete, isFresh, until, ...counted] = parsed.data
  const terms = counted.flatMap((count, at) => (at % 2 === 0 ? [readTerm(Number(count), counted[at + 1] ?? '')] : []))
  terms.sort((one, other) => other.count - one.count || other.newestAt - one.newestAt)
  return { isComplete: isComplete === 1, isFresh: isFresh === 1, until, terms: terms.map(({ text }) => text) }
}

// `1750000000000000 as it was typed`.
function readTerm(count: number, spelling: string): { count: number; newestAt: number; text: string } {
  const end = spelling.indexOf(' ')
  return { count, newestAt: Number(spelling.slice(0, end)), text: spelling.slice(end + 1) }
}

function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined
  return () => (running ??= work().finally(() => (running = undefined)))
}
