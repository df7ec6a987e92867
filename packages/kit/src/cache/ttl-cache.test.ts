import { Code, ConnectError } from '@connectrpc/connect'
import { expect, it } from 'vitest'
import { createTtlCache } from './ttl-cache.ts'

function createTestCache(ttlMs: number, max: number) {
  const calls: string[][] = []
  const cache = createTtlCache({
    ttlMs,
    max,
    load: async (ids) => {
      calls.push([...ids])
      if (ids.includes('down')) throw new ConnectError('unavailable', Code.Unavailable)
      if (ids.includes('bug')) throw new TypeError('a bug')
      return new Map(ids.filter((id) => id !== 'unknown').map((id) => [id, id.toUpperCase()]))
    },
  })
  return { calls, cache }
}

it('loads each id once and only missing ids afterwards', async () => {
  const { calls, cache } = createTestCache(60_000, 10)
  expect(await cache.get(['a', 'b', 'a'])).toEqual(
    new Map([
      ['a', 'A'],
      ['b', 'B'],
    ]),
  )
  expect(await cache.get(['b', 'c'])).toEqual(
    new Map([
      ['b', 'B'],
      ['c', 'C'],
    ]),
  )
  expect(await cache.get([])).toEqual(new Map())
  expect(calls).toEqual([['a', 'b'], ['c']])
})

it('returns cached values and omits the others while the service is unavailable', async () => {
  const { cache } = createTestCache(60_000, 10)
  await cache.get(['a'])
  expect(await cache.get(['a', 'down'])).toEqual(new Map([['a', 'A']]))
  expect(await cache.get(['unknown'])).toEqual(new Map())
})

it('rethrows other errors', async () => {
  await expect(createTestCache(60_000, 10).cache.get(['bug'])).rejects.toThrow('a bug')
})

it('evicts the oldest values above its maximum and loads 100 ids per call', async () => {
  const { calls, cache } = createTestCache(60_000, 2)
  const ids = Array.from({ length: 150 }, (_, index) => `id-${index}`)
  expect((await cache.get(ids)).size).toBe(150)
  expect(calls.map((call) => call.length)).toEqual([100, 50])
  await cache.get(['id-149', 'id-148', 'id-0'])
  expect(calls.at(-1)).toEqual(['id-0'])
})

it('loads a value again after its TTL', async () => {
  const { calls, cache } = createTestCache(1, 10)
  await expect.poll(async () => (await cache.get(['a'])) && calls.length).toBeGreaterThan(1)
})
