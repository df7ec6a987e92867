import { openLog } from '@marketplace/kit/telemetry/log.ts'
import { patientMs, testRedis, type TestRedis } from '@marketplace/testing/redis.ts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createHarness, type Harness } from '../testing/harness.ts'
import { postgresTrending } from './postgres-trending.ts'
import { redisTrending } from './redis-trending.ts'
import { appendCounts, trendingKeys } from './redis-scripts.ts'
import { count, trendingConformance } from './trending.conformance.ts'
import type { TrendingStore } from './trending-store.ts'

const log = openLog('test', 'silent')
// A result that the history cannot produce shows when the fallback was used.
const fallbackTerms = ['from the fallback']
const fakeFallback: TrendingStore = { top: async () => fallbackTerms }

let server: TestRedis
beforeAll(async () => {
  server = await testRedis()
})
beforeEach(() => server.flush())
afterEach(() => server.thaw())
afterAll(() => server.close())

trendingConformance('in Redis', async ({ db }) => {
  const redis = await server.open(patientMs)
  return { store: redisTrending({ db, redis, log, fallback: postgresTrending(db) }), close: redis.close }
})

describe('trending in Redis', () => {
  let harness: Harness
  beforeAll(async () => {
    harness = await createHarness()
  })
  beforeEach(async () => {
    await harness.query('truncate search_counts')
    for (const seconds of [7, 8, 9]) await count(harness, 'lamp', seconds * 3600)
    await count(harness, 'clock', 3600)
  })
  afterAll(() => harness.close())

  async function open(fallback = fakeFallback, timeoutMs?: number): Promise<TrendingStore> {
    return redisTrending({ db: harness.db, redis: await server.open(timeoutMs ?? patientMs), log, fallback })
  }

  it('uses the fallback until the history is copied, and not afterwards', async () => {
    const store = await open()
    expect(await store.top(10)).toEqual(fallbackTerms)
    await expect.poll(() => store.top(10)).toEqual(['lamp', 'clock'])
    for (let time = 0; time < 20; time += 1) expect(await store.top(10)).not.toEqual(fallbackTerms)
  })

  it('is rebuilt from the history after a flush, by any process', async () => {
    const stores = [await open(), await open(), await open()]
    const all = () => Promise.all(stores.map((store) => store.top(10)))
    const expected = stores.map(() => ['lamp', 'clock'])
    await expect.poll(all).toEqual(expected)
    for (let time = 0; time < 5; time += 1) {
      await Promise.all([server.flush(), all()])
      await expect.poll(all).toEqual(expected)
    }
  })

  // Fails without `if from > synced … return 0` in redis-scripts.ts.
  it('stays incomplete when a process appends its next batch after a flush', async () => {
    const [store, redis] = [await open(), await server.open(patientMs)]
    await server.flush()
    const minute = 60_000_000
    const now = Date.now() * 1000
    expect(await redis.run(appendCounts, trendingKeys, [now - minute, now, 1])).toBe(0)
    expect(await store.top(10)).toEqual(fallbackTerms)
    await expect.poll(() => store.top(10)).toEqual(['lamp', 'clock'])
  })

  it.each(trendingKeys.slice(0, 4))('is rebuilt from the history when only %s is missing', async (key) => {
    const [store, redis] = [await open(), await server.open(patientMs)]
    await expect.poll(() => store.top(10)).toEqual(['lamp', 'clock'])
    await redis.run(`return redis.call('DEL', KEYS[1])`, [key], [])
    await expect.poll(() => store.top(10)).toEqual(fallbackTerms)
    await expect.poll(() => store.top(10)).toEqual(['lamp', 'clock'])
  })

  it('reads from Postgres while Redis hangs, then includes what was counted meanwhile', async () => {
    const store = await open(postgresTrending(harness.db), 40)
    await expect.poll(() => store.top(10)).toEqual(['lamp', 'clock'])
    server.freeze()
    for (let time = 0; time < 3; time += 1) await count(harness, 'vase')
    await count(harness, 'vase')
    await expect.poll(() => store.top(1)).toEqual(['vase'])
    server.thaw()
    const shared = await open()
    await expect.poll(() => shared.top(10)).toEqual(['vase', 'lamp', 'clock'])
  })

  it('expires after a minute without reads, and is rebuilt', async () => {
    const [store, redis] = [await open(), await server.open(patientMs)]
    await expect.poll(() => store.top(10)).toEqual(['lamp', 'clock'])
    for (const key of trendingKeys) {
      const ttl = await redis.run(`return redis.call('PTTL', KEYS[1])`, [key], [])
      expect(ttl).not.toBe(-1)
      expect(ttl).toBeLessThanOrEqual(60_000)
    }
  })
})
