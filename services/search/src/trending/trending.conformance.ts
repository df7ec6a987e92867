import { newId } from '@marketplace/kit/values/ids.ts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createHarness, type Harness } from '../testing/harness.ts'
import type { TrendingStore } from './trending-store.ts'
import { visibleTrending } from './visible-trending.ts'

export interface OpenStore {
  store: TrendingStore
  close(): void
}

/** Inserts one count of the term, `secondsAgo` in the past. */
export function count(harness: Harness, term: string, secondsAgo = 0): Promise<unknown> {
  const values = [term.toLowerCase(), term, secondsAgo]
  return harness.query(
    `insert into search_counts values ($1, $2, statement_timestamp() - $3::float8 * interval '1 second')`,
    values,
  )
}

/**
 * Tests that every driver of the trending store must pass. They poll for results, because each process caches them for
 * a short time.
 */
export function trendingConformance(driver: string, openOn: (harness: Harness) => Promise<OpenStore>): void {
  describe(`trending ${driver}`, () => {
    const opened: OpenStore[] = []
    let harness: Harness
    beforeAll(async () => {
      harness = await createHarness()
    })
    beforeEach(async () => {
      await harness.query('truncate search_counts')
    })
    afterEach(() => opened.splice(0).forEach((store) => store.close()))
    afterAll(() => harness.close())

    async function open(): Promise<TrendingStore> {
      const store = await openOn(harness)
      opened.push(store)
      return store.store
    }

    it('SRCH-01 orders terms by count, then newest first', async () => {
      for (const seconds of [40, 30, 20]) await count(harness, 'lamp', seconds)
      await count(harness, 'vase', 60)
      await count(harness, 'rug', 10)
      await count(harness, 'clock', 50)
      await count(harness, 'clock', 45)
      const store = await open()
      await expect.poll(() => store.top(10)).toEqual(['lamp', 'clock', 'rug', 'vase'])
      expect(await store.top(2)).toEqual(['lamp', 'clock'])
    })

    it('SRCH-01 returns each term in its newest spelling, whatever the insertion order', async () => {
      await count(harness, 'LAMP', 5)
      await count(harness, 'Lamp', 15)
      await count(harness, 'a term of  words ', 25)
      const store = await open()
      await expect.poll(() => store.top(10)).toEqual(['LAMP', 'a term of  words '])
      await count(harness, 'lamp')
      await expect.poll(() => store.top(10)).toEqual(['lamp', 'a term of  words '])
    })

    it('SRCH-01 covers the last 24 hours, to the second', async () => {
      const day = 24 * 3600
      for (let time = 0; time < 5; time += 1) await count(harness, 'older', day + 1)
      for (const seconds of [day - 10, day - 10, 100]) await count(harness, 'going', seconds)
      for (const seconds of [200, 300]) await count(harness, 'staying', seconds)
      const store = await open()
      await expect.poll(() => store.top(10)).toEqual(['going', 'staying'])
      await expect.poll(() => store.top(10)).toEqual(['staying', 'going'])
    })

    it('SRCH-01 includes counts added between reads, in every process', async () => {
      const [first, second] = [await open(), await open()]
      const both = () => Promise.all([first.top(10), second.top(10)])
      await count(harness, 'lamp')
      await expect.poll(both).toEqual([['lamp'], ['lamp']])
      for (let time = 0; time < 2; time += 1) await count(harness, 'clock')
      await expect.poll(both).toEqual([
        ['clock', 'lamp'],
        ['clock', 'lamp'],
      ])
    })

    it('counts simultaneous and late rows once each', async () => {
      await harness.query(
        `insert into search_counts select 'lamp', 'lamp', statement_timestamp() from generate_series(1, 30)`,
      )
      for (let time = 0; time < 29; time += 1) await count(harness, 'clock')
      const store = await open()
      await expect.poll(() => store.top(10)).toEqual(['lamp', 'clock'])
      // Simulates a transaction that committed 5 s after its statement.
      for (let time = 0; time < 2; time += 1) await count(harness, 'clock', 5)
      await expect.poll(() => store.top(10)).toEqual(['clock', 'lamp'])
    })

    it('SRCH-09 is shown without blocked terms and without terms that are in no active listing', async () => {
      await harness.query('truncate blocked_terms')
      await harness.createListing({ title: 'A lamp and a rude vase' })
      await harness.query(`insert into blocked_terms values ('rude')`)
      for (const term of ['lamp', 'evil.example', 'rude vase']) await count(harness, term)
      const store = visibleTrending(harness.db, await open())
      await expect.poll(() => store.top(10)).toEqual(['lamp'])
    })

    it('returns no terms when none are counted', async () => {
      const store = await open()
      expect(await store.top(10)).toEqual([])
    })

    it('reads a history that is longer than one batch', async () => {
      const id = newId()
      await harness.query(
        `insert into search_counts select 't' || n % 2700, 'T' || n % 2700, statement_timestamp() - n * interval '9 seconds'
         from generate_series(1, 5000) as n union all select $1, $1, statement_timestamp() from generate_series(1, 3)`,
        [id],
      )
      const store = await open()
      await expect.poll(() => store.top(2)).toEqual([id, 'T1'])
      await expect.poll(async () => (await store.top(1000)).length).toBe(500)
    })
  })
}
