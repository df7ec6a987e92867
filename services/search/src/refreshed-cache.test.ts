import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createRefreshedCache } from './refreshed-cache.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] })
  // lru-cache treats a start time of 0 as none.
  vi.advanceTimersByTime(1)
})
afterEach(() => void vi.useRealTimers())

/** Creates a cache whose values are the names of their tools and the number of computations, fresh for 30 s. */
function createCounted() {
  let computed = 0
  let fails = false
  const waiting: (() => void)[] = []
  const read = createRefreshedCache<string, string, string>({
    max: 10,
    compute: async (key, tool) => {
      if (fails) throw new Error('Cannot be computed.')
      return `${key} ${tool} ${++computed}`
    },
    freshMs: (_value, key) => (key === 'uncached' ? 0 : 30_000),
    inBackground: async (use) => {
      await new Promise<void>((resolve) => void waiting.push(resolve))
      return use('background')
    },
  })
  return {
    waiting,
    read: (key: string) => read(key, 'request'),
    setFailing: (value: boolean) => void (fails = value),
    /** Runs the waiting computation in the background. */
    async refresh() {
      waiting.shift()?.()
      await new Promise((resolve) => setImmediate(resolve))
    },
  }
}

describe('a refreshed cache', () => {
  it('computes a value once while it is fresh, also for concurrent calls', async () => {
    const { read, waiting } = createCounted()
    expect(await Promise.all([read('a'), read('a')])).toEqual(['a request 1', 'a request 1'])
    vi.advanceTimersByTime(29_999)
    expect(await read('a')).toBe('a request 1')
    expect(waiting).toHaveLength(0)
  })

  it('returns an outdated value and computes the next one in the background, one at a time', async () => {
    const { read, refresh, waiting } = createCounted()
    await Promise.all([read('a'), read('b')])
    vi.advanceTimersByTime(30_001)
    expect(await Promise.all([read('a'), read('a'), read('b')])).toEqual(['a request 1', 'a request 1', 'b request 2'])
    expect(waiting).toHaveLength(1)
    await refresh()
    expect(await Promise.all([read('a'), read('b')])).toEqual(['a background 3', 'b request 2'])
    await refresh()
    expect(await read('b')).toBe('b background 4')
  })

  it('computes a value before returning it when it is twice as old, also while a computation waits for its tool', async () => {
    const { read, waiting } = createCounted()
    await read('a')
    vi.advanceTimersByTime(30_001)
    await read('a')
    vi.advanceTimersByTime(30_000)
    expect(await read('a')).toBe('a request 2')
    expect(waiting).toHaveLength(1)
  })

  it('returns a value whose entry was evicted while it was computed', async () => {
    const read = createRefreshedCache<string, string, string>({
      max: 1,
      compute: (key) => new Promise((resolve) => setImmediate(() => resolve(key))),
      freshMs: () => 30_000,
      inBackground: (use) => use('background'),
    })
    expect(await Promise.all([read('a', 'request'), read('b', 'request')])).toEqual(['a', 'b'])
  })

  it('does not cache values with 0', async () => {
    const { read } = createCounted()
    await read('uncached')
    vi.advanceTimersByTime(2)
    expect(await read('uncached')).toBe('uncached request 2')
  })

  it('does not cache errors, and computes the value again after a failure in the background', async () => {
    const { read, refresh, setFailing } = createCounted()
    setFailing(true)
    await expect(read('a')).rejects.toThrow('Cannot be computed.')
    setFailing(false)
    await read('a')
    vi.advanceTimersByTime(30_001)
    expect(await read('a')).toBe('a request 1')
    setFailing(true)
    await refresh()
    await expect(read('a')).rejects.toThrow('Cannot be computed.')
    setFailing(false)
    expect(await read('a')).toBe('a request 2')
  })
})
