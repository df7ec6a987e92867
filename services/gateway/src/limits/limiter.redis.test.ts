import { patientMs, testRedis, type TestRedis } from '@marketplace/testing/redis.ts'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createInProcessLimiter } from './in-process-limiter.ts'
import type { Limit, Limiter } from './limiter.ts'
import { limiterConformance } from './limiter.conformance.ts'
import { createRedisLimiter } from './redis-limiter.ts'

let server: TestRedis

beforeAll(async () => {
  server = await testRedis()
})
afterAll(() => server.close())
afterEach(() => server.thaw())

const open = async (timeoutMs?: number): Promise<Limiter> =>
  createRedisLimiter(await server.open(timeoutMs), createInProcessLimiter())

// Fails a test that is meant to run in Redis and uses the fallback.
const noFallback: Limiter = {
  take: () => Promise.reject(new Error('The fallback was used.')),
  charge: () => Promise.reject(new Error('The fallback was used.')),
}

limiterConformance('in Redis', async () => createRedisLimiter(await server.open(patientMs), noFallback))

describe('the limiter in Redis', () => {
  const once: Limit = { burst: 1, perSecond: 0.01 }

  it('is shared by all gateways', async () => {
    const [first, second] = [await open(patientMs), await open(patientMs)]
    expect(await first.take('shared', once)).toBe(0)
    expect(await second.take('shared', once)).toBeGreaterThan(0)
  })

  it('makes each gateway count separately while Redis hangs', async () => {
    const [first, second] = [await open(), await open()]
    server.freeze()
    const takes = [await first.take('alone', once), await second.take('alone', once)]
    expect(takes).toEqual([0, 0])
    expect(await first.take('alone', once)).toBeGreaterThan(0)
  })

  it('starts with full buckets after a flush', async () => {
    const limiter = createRedisLimiter(await server.open(patientMs), noFallback)
    expect([await limiter.take('flushed', once), (await limiter.take('flushed', once)) > 0]).toEqual([0, true])
    await server.flush()
    expect(await limiter.take('flushed', once)).toBe(0)
  })

  it('expires a bucket soon after it is full again', async () => {
    const redis = await server.open(patientMs)
    await createRedisLimiter(redis, noFallback).take('brief', { burst: 10, perSecond: 0.1 })
    const ttl = await redis.run(`return redis.call('PTTL', KEYS[1])`, ['limit:brief'], [])
    expect(ttl).toBeGreaterThan(0)
    expect(ttl).toBeLessThanOrEqual(11_000)
  })
})
