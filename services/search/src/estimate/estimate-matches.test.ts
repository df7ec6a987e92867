import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Db } from '../db.ts'
import { createEstimateMatches } from './estimate-matches.ts'

// The function that reads estimates replaces the database in these tests.
const db = {} as Db // oxlint-disable-line no-unsafe-type-assertion

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] })
  // lru-cache treats a start time of 0 as none.
  vi.advanceTimersByTime(1)
})
afterEach(() => void vi.useRealTimers())

function createRecorded() {
  const reads: string[][] = []
  const estimate = createEstimateMatches(async (_db, queries) => {
    reads.push([...queries])
    return queries.map((query) => query.length)
  })
  return {
    reads,
    estimate: async (queries: string[], listings = 20_000) => Object.fromEntries(await estimate(db, queries, listings)),
  }
}

describe('estimates of numbers of matches', () => {
  it('are read once for each query, all missing ones at once', async () => {
    const { estimate, reads } = createRecorded()
    expect(await estimate(["'a'", "'bc'", "'a'"])).toEqual({ "'a'": 3, "'bc'": 4 })
    expect(await estimate(["'bc'", "'def'"])).toEqual({ "'bc'": 4, "'def'": 5 })
    expect(await estimate(["'a'", "'bc'", "'def'"])).toEqual({ "'a'": 3, "'bc'": 4, "'def'": 5 })
    expect(reads).toEqual([["'a'", "'bc'"], ["'def'"]])
  })

  it('are read again after new statistics, and after 5 minutes', async () => {
    const { estimate, reads } = createRecorded()
    await estimate(["'a'"])
    await estimate(["'a'"], 20_001)
    expect(reads).toHaveLength(2)
    vi.advanceTimersByTime(299_999)
    await estimate(["'a'"], 20_001)
    expect(reads).toHaveLength(2)
    vi.advanceTimersByTime(2)
    await estimate(["'a'"], 20_001)
    expect(reads).toHaveLength(3)
  })

  it('are 0 and not read for up to 10,000 listings', async () => {
    const { estimate, reads } = createRecorded()
    expect(await estimate(["'a'"], 10_000)).toEqual({ "'a'": 0 })
    expect(await estimate(["'a'"], -1)).toEqual({ "'a'": 0 })
    expect(await estimate(["'a'"], 10_001)).toEqual({ "'a'": 3 })
    expect(reads).toHaveLength(1)
  })

  it('are kept for 10,000 queries', async () => {
    const { estimate, reads } = createRecorded()
    await estimate(Array.from({ length: 10_001 }, (_, n) => `'${n}'`))
    await estimate(["'1'"])
    expect(reads).toHaveLength(1)
    await estimate(["'0'"])
    expect(reads).toHaveLength(2)
  })
})
