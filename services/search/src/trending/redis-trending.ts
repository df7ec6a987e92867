import type { RedisCache } from '@marketplace/kit/cache/redis.ts'
import type { Log } from '@marketplace/kit/telemetry/log.ts'
import { z } from 'zod'
import { createAdaptiveCache } from '../adaptive-cache.ts'
import type { Db } from '../db.ts'
import { readCountsSince, type CountBatch } from './counts.repo.ts'
import { appendCounts, readTop, trendingKeys } from './redis-scripts.ts'
import { maxTrending, type TrendingStore } from './trending-store.ts'

// Number of counted searches per Redis call. A call takes a few milliseconds, well below its timeout of 40 ms.
const syncBatchSize = 1000

// Assumed maximum time, in microseconds, between a search's timestamp and the commit of its transaction. Each sync
// starts this long before the end of the previous sync, to copy searches that were committed late.
const maxCommitDelayMicros = 10_000_000

interface RedisTrending {
  db: Db
  redis: RedisCache
  log: Log
  /** Store that is used while Redis does not respond or does not have all terms of the last 24 hours. */
  fallback: TrendingStore
}

/**
 * Trending store in Redis: a copy of the counted searches in Postgres. If the last sync is more than a second old, a
 * read first copies the new searches. If Redis loses its data, the next sync copies everything again.
 */
export function redisTrending({ db, redis, log, fallback }: RedisTrending): TrendingStore {
  const sync = coalesce(() => syncFromHistory(db, redis))

  async function readTerms(): Promise<string[]> {
    const state = await readState(redis)
    if (!state) return fallback.top(maxTrending)
    if (state.isFresh) return state.terms
    if (!state.isComplete) {
      sync().catch((error: unknown) => log.warn({ err: error }, 'trending sync failed'))
      return fallback.top(maxTrending)
    }
    await sync()
    const synced = await readState(redis)
    return synced?.isComplete ? synced.terms : fallback.top(maxTrending)
  }

  const cached = createAdaptiveCache(1, readTerms)
  return { top: async (limit) => (await cached('all')).slice(0, limit) }
}

// Copies batches of counted searches to Redis until none is left. Several processes can do this at the same time,
// because a search that is copied twice is counted once.
async function syncFromHistory(db: Db, redis: RedisCache): Promise<void> {
  const state = await readState(redis)
  let from = state && state.until > maxCommitDelayMicros ? state.until - maxCommitDelayMicros : 0
  for (;;) {
    const batch = await readCountsSince(db, from, syncBatchSize)
    const isLast = batch.counts.length < syncBatchSize
    const isAppended = await redis.run(appendCounts, trendingKeys, argumentsOf(from, batch, isLast))
    if (isAppended !== 1 || isLast) return
    from = batch.until
  }
}

function argumentsOf(from: number, { counts, until }: CountBatch, isLast: boolean): (string | number)[] {
  return [from, until, isLast ? 1 : 0, ...counts.flatMap(({ id, countedAt, key, term }) => [id, countedAt, key, term])]
}

const TopResult = z.tuple([z.number(), z.number(), z.coerce.number()]).rest(z.string())

interface State {
  /** Whether the copy covers 24 hours. */
  isComplete: boolean
  /** Whether the last sync is less than a second old. */
  isFresh: boolean
  /** Time up to which the counted searches were copied, in microseconds since the Unix epoch. */
  until: number
  terms: string[]
}

async function readState(redis: RedisCache): Promise<State | undefined> {
  const parsed = TopResult.safeParse(await redis.run(readTop, trendingKeys, [maxTrending]))
  if (!parsed.success) return undefined
  const [isComplete, isFresh, until, ...counted] = parsed.data
  const terms = counted.flatMap((count, at) => (at % 2 === 0 ? [parseTerm(Number(count), counted[at + 1] ?? '')] : []))
  terms.sort((one, other) => other.count - one.count || other.newestAt - one.newestAt)
  return { isComplete: isComplete === 1, isFresh: isFresh === 1, until, terms: terms.map(({ text }) => text) }
}

// Parses `<time> <text>`: the time of the latest search for a term, in microseconds, and the term's text.
function parseTerm(count: number, spelling: string): { count: number; newestAt: number; text: string } {
  const end = spelling.indexOf(' ')
  return { count, newestAt: Number(spelling.slice(0, end)), text: spelling.slice(end + 1) }
}

function coalesce(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined
  return () => (running ??= work().finally(() => (running = undefined)))
}
