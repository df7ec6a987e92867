import { newId } from '@marketplace/kit/values/ids.ts'
import { eventually } from '@marketplace/testing/eventually.ts'
import { describe, expect, it } from 'vitest'
import type { Limiter } from './limiter.ts'

// This bucket refills so slowly that no token is added during a test.
const slow = { burst: 3, perSecond: 0.01 }
const quick = { burst: 2, perSecond: 5 }

/** Defines the tests that every limiter driver must pass. */
export function limiterConformance(driver: string, open: () => Promise<Limiter>): void {
  describe(`the limiter ${driver}`, () => {
    it('allows a burst, then returns the wait', async () => {
      const [limiter, key] = [await open(), newId()]
      const take = () => limiter.take(key, slow)
      expect([await take(), await take(), await take()]).toEqual([0, 0, 0])
      const wait = await take()
      expect(Number.isInteger(wait)).toBe(true)
      expect(wait).toBeGreaterThan(90_000)
      expect(wait).toBeLessThanOrEqual(100_000)
    })

    it('grants a token after the returned wait, not before', async () => {
      const [limiter, key] = [await open(), newId()]
      for (let taken = 0; taken < quick.burst; taken += 1) await limiter.take(key, quick)
      const start = performance.now()
      const wait = await limiter.take(key, quick)
      expect(wait).toBeGreaterThan(0)
      await eventually(async () => (await limiter.take(key, quick)) === 0)
      // The 2 ms allow for rounding in both clocks.
      expect(performance.now() - start).toBeGreaterThanOrEqual(wait - 2)
    })

    it('never holds more tokens than the burst', async () => {
      const [limiter, key] = [await open(), newId()]
      const fast = { burst: 3, perSecond: 1000 }
      for (let taken = 0; taken < 3; taken += 1) await limiter.take(key, fast)
      await eventually(async () => (await limiter.take(key, fast)) === 0)
      const waits = await Promise.all(Array.from({ length: 4 }, () => limiter.take(key, slow)))
      expect(waits.filter((wait) => wait === 0).length).toBeLessThanOrEqual(3)
    })

    // The Redis driver passes this test because one script reads and updates the bucket atomically.
    it('L14 grants exactly the burst to 50 concurrent calls', async () => {
      const [limiter, key] = [await open(), newId()]
      const waits = await Promise.all(Array.from({ length: 50 }, () => limiter.take(key, { ...slow, burst: 20 })))
      expect(waits.filter((wait) => wait === 0)).toHaveLength(20)
    })

    it('charges tokens that are not left, down to the negative burst', async () => {
      const [limiter, key, other] = [await open(), newId(), newId()]
      await limiter.charge(key, slow, 2)
      expect(await limiter.take(key, slow)).toBe(0)
      expect(await limiter.take(key, slow)).toBeGreaterThan(0)
      await limiter.charge(other, slow, 1000)
      const wait = await limiter.take(other, slow)
      expect(wait).toBeGreaterThan(390_000)
      expect(wait).toBeLessThanOrEqual(400_000)
    })

    it('counts each key separately', async () => {
      const limiter = await open()
      const [a, b, once] = [newId(), newId(), { burst: 1, perSecond: 0.01 }]
      expect([await limiter.take(a, once), await limiter.take(b, once)]).toEqual([0, 0])
      expect(await limiter.take(a, once)).toBeGreaterThan(0)
    })
  })
}
