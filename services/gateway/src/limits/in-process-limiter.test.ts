import { describe, expect, it } from 'vitest'
import { inProcessLimiter } from './in-process-limiter.ts'
import { limiterConformance } from './limiter.conformance.ts'

limiterConformance('of one process', async () => inProcessLimiter())

const limit = { burst: 3, perSecond: 2 }

describe('the limiter of one process', () => {
  it('gives a burst, then as much as was refilled, and says how long to wait', async () => {
    let now = 0
    const limiter = inProcessLimiter(() => now)
    const take = () => limiter.take('alice', limit)

    expect([await take(), await take(), await take(), await take()]).toEqual([0, 0, 0, 500])
    now = 250
    expect(await take()).toBe(250)
    now = 500
    expect([await take(), await take()]).toEqual([0, 500])
    now = 60_000
    expect([await take(), await take(), await take(), await take()]).toEqual([0, 0, 0, 500])
  })

  it('counts each key apart and forgets the least recently used', async () => {
    const limiter = inProcessLimiter(() => 0, 2)
    const once = { burst: 1, perSecond: 1 }

    expect([await limiter.take('a', once), await limiter.take('b', once)]).toEqual([0, 0])
    expect(await limiter.take('a', once)).toBe(1000)
    expect(await limiter.take('c', once)).toBe(0)
    expect([await limiter.take('a', once), await limiter.take('b', once)]).toEqual([1000, 0])
  })
})
