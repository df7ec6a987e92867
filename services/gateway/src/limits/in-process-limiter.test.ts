import { describe, expect, it } from 'vitest'
import { createInProcessLimiter } from './in-process-limiter.ts'
import { limiterConformance } from './limiter.conformance.ts'

limiterConformance('in one process', async () => createInProcessLimiter())

const limit = { burst: 3, perSecond: 2 }

describe('the in-process limiter', () => {
  it('allows a burst, then the refilled tokens, and returns the wait', async () => {
    let now = 0
    const limiter = createInProcessLimiter(() => now)
    const take = () => limiter.take('alice', limit)

    expect([await take(), await take(), await take(), await take()]).toEqual([0, 0, 0, 500])
    now = 250
    expect(await take()).toBe(250)
    now = 500
    expect([await take(), await take()]).toEqual([0, 500])
    now = 60_000
    expect([await take(), await take(), await take(), await take()]).toEqual([0, 0, 0, 500])
  })

  it('counts each key separately, and evicts the least recently used', async () => {
    const limiter = createInProcessLimiter(() => 0, 2)
    const once = { burst: 1, perSecond: 1 }

    expect([await limiter.take('a', once), await limiter.take('b', once)]).toEqual([0, 0])
    expect(await limiter.take('a', once)).toBe(1000)
    expect(await limiter.take('c', once)).toBe(0)
    expect([await limiter.take('a', once), await limiter.take('b', once)]).toEqual([1000, 0])
  })

  it('keeps the limits of 50,000 clients by default', async () => {
    const limiter = createInProcessLimiter(() => 0)
    const once = { burst: 1, perSecond: 1 }
    const takeAll = async (from: number, to: number) => {
      let allowed = 0
      for (let client = from; client < to; client += 1) if ((await limiter.take(`${client}`, once)) === 0) allowed += 1
      return allowed
    }

    expect(await takeAll(0, 50_000)).toBe(50_000)
    expect(await takeAll(0, 50_000)).toBe(0)
    expect(await takeAll(50_000, 50_001)).toBe(1)
    expect(await takeAll(0, 1)).toBe(1)
  })
})
