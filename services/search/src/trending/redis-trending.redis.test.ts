import { openLog } from '@marketplace/kit/log.ts'
import { testRedis, type TestRedis } from '@marketplace/testing/redis.ts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { setStage, type Stage } from '../testing/stage.ts'
import { postgresTrending } from './postgres-trending.ts'
import { redisTrending } from './redis-trending.ts'
import { takeIn, trendingKeys } from './redis-scripts.ts'
import { count, trendingConformance } from './trending.conformance.ts'
import type { TrendingStore } from './trending-store.ts'

const log = openLog('test', 'silent')
// What it answers instead of the history tells who was asked.
const instead = ['asked the history']
const history: TrendingStore = { top: async () => instead }

let server: TestRedis
beforeAll(async () => {
  server = await testRedis()
})
beforeEach(() => server.flush())
afterEach(() => server.thaw())
afterAll(() => server.close())

trendingConformance('in Redis', async ({ db }) => {
  const redis = await server.open()
  return { store: redisTrending({ db, redis, log, history: postgresTrending(db) }), close: redis.close }
})

describe('trending in Redis', () => {
  let stage: Stage
  beforeAll(async () => {
    stage = await setStage()
  })
  beforeEach(async () => {
    await stage.rows('truncate search_counts')
    for (const seconds of [7, 8, 9]) await count(stage, 'lamp', seconds * 3600)
    await count(stage, 'clock', 3600)
  })
  afterAll(() => stage.close())

  async function open(from = history): Promise<TrendingStore> {
    return redisTrending({ db: stage.db, redis: await server.open(), log, history: from })
  }

  it('asks the history until it has taken it in, then no more', async () => {
    const store = await open()
    expect(await store.top(10)).toEqual(instead)
    await expect.poll(() => store.top(10)).toEqual(['lamp', 'clock'])
    for (let time = 0; time < 20; time += 1) expect(await store.top(10)).not.toEqual(instead)
  })

  it('comes back from the history when it was flushed, whoever asks', async () => {
    const stores = [await open(), await open(), await open()]
    const all = () => Promise.all(stores.map((store) => store.top(10)))
    const whole = stores.map(() => ['lamp', 'clock'])
    await expect.poll(all).toEqual(whole)
    for (let time = 0; time < 5; time += 1) {
      await Promise.all([server.flush(), all()])
      await expect.poll(all).toEqual(whole)
    }
  })

  // Was red without redis-scripts' line `if from > known … return 0`.
  it('is not taken for whole when a process goes on after a flush where it was before', async () => {
    const [store, redis] = [await open(), await server.open()]
    await server.flush()
    const minute = 60_000_000
    const now = Date.now() * 1000
    expect(await redis.run(takeIn, trendingKeys, [now - minute, now, 1])).toBe(0)
    expect(await store.top(10)).toEqual(instead)
    await expect.poll(() => store.top(10)).toEqual(['lamp', 'clock'])
  })

  it.each(trendingKeys.slice(0, 4))('comes back from the history when only %s is gone', async (key) => {
    const [store, redis] = [await open(), await server.open()]
    await expect.poll(() => store.top(10)).toEqual(['lamp', 'clock'])
    await redis.run(`return redis.call('DEL', KEYS[1])`, [key], [])
    await expect.poll(() => store.top(10)).toEqual(instead)
    await expect.poll(() => store.top(10)).toEqual(['lamp', 'clock'])
  })

  it('is answered by the history while it hangs; then it has what came meanwhile', async () => {
    const store = await open(postgresTrending(stage.db))
    await expect.poll(() => store.top(10)).toEqual(['lamp', 'clock'])
    server.freeze()
    for (let time = 0; time < 3; time += 1) await count(stage, 'vase')
    await count(stage, 'vase')
    await expect.poll(() => store.top(1)).toEqual(['vase'])
    server.thaw()
    const shared = await open()
    await expect.poll(() => shared.top(10)).toEqual(['vase', 'lamp', 'clock'])
  })

  it('goes when nobody asks for a minute, and is built anew', async () => {
    const [store, redis] = [await open(), await server.open()]
    await expect.poll(() => store.top(10)).toEqual(['lamp', 'clock'])
    for (const key of trendingKeys) {
      const ttl = await redis.run(`return redis.call('PTTL', KEYS[1])`, [key], [])
      expect(ttl).not.toBe(-1)
      expect(ttl).toBeLessThanOrEqual(60_000)
    }
  })
})
