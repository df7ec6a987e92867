import { testRedis, type TestRedis } from '@marketplace/testing/redis.ts'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { inProcessLimiter } from './in-process-limiter.ts'
import type { Limit, Limiter } from './limiter.ts'
import { limiterConformance } from './limiter.conformance.ts'
import { redisLimiter } from './redis-limiter.ts'

let server: TestRedis

beforeAll(async () => {
  server = await testRedis()
})
afterAll(() => server.close())
afterEach(() => server.thaw())

const open = async (): Promise<Limiter> => redisLimiter(await server.open(), inProcessLimiter())

// A stand-in that gives itself away: a test that meant Redis would see it.
const nobody: Limiter = {
  take: () => Promise.reject(new Error('not asked in Redis')),
}

limiterConformance('in Redis', async () => redisLimiter(await server.open(), nobody))

describe('the limiter in Redis', () => {
  const once: Limit = { burst: 1, perSecond: 0.01 }

  it('is shared by all gateways', async () => {
    const [first, second] = [await open(), await open()]
    expect(await first.take('shared', once)).toBe(0)
    expect(await second.take('shared', once)).toBeGreaterThan(0)
  })

  it('lets each gateway count alone while it hangs', async () => {
    const [first, second] = [await open(), await open()]
    server.freeze()
    const takes = [await first.take('alone', once), await second.take('alone', once)]
    expect(takes).toEqual([0, 0])
    expect(await first.take('alone', once)).toBeGreaterThan(0)
  })

  it('begins anew when it was flushed', async () => {
    const limiter = redisLimiter(await server.open(), nobody)
    expect([await limiter.take('flushed', once), (await limiter.take('flushed', once)) > 0]).toEqual([0, true])
    await server.flush()
    expect(await limiter.take('flushed', once)).toBe(0)
  })

  it('forgets a bucket soon after it is full again', async () => {
    const redis = await server.open()
    await redisLimiter(redis, nobody).take('brief', { burst: 10, perSecond: 10 })
    const ttl = await redis.run(`return redis.call('PTTL', KEYS[1])`, ['limit:brief'], [])
    expect(ttl).toBeGreaterThan(0)
    expect(ttl).toBeLessThanOrEqual(1100)
  })
})
