import { newId } from '@marketplace/kit/ids.ts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { setStage, type Stage } from '../testing/stage.ts'
import type { TrendingStore } from './trending-store.ts'

export interface OpenStore {
  store: TrendingStore
  close(): void
}

// Each process keeps its answer for a moment.

/** One count more of a term, so many seconds ago. */
export function count(stage: Stage, term: string, secondsAgo = 0): Promise<unknown> {
  const values = [term.toLowerCase(), term, secondsAgo]
  return stage.rows(
    `insert into search_counts values ($1, $2, statement_timestamp() - $3::float8 * interval '1 second')`,
    values,
  )
}

/** What every driver of the trending store must do. */
export function trendingConformance(driver: string, openOn: (stage: Stage) => Promise<OpenStore>): void {
  describe(`trending ${driver}`, () => {
    const opened: OpenStore[] = []
    let stage: Stage
    beforeAll(async () => {
      stage = await setStage()
    })
    beforeEach(async () => {
      await stage.rows('truncate search_counts')
    })
    afterEach(() => opened.splice(0).forEach((store) => store.close()))
    afterAll(() => stage.close())

    async function open(): Promise<TrendingStore> {
      const store = await openOn(stage)
      opened.push(store)
      return store.store
    }

    it('SRCH-01 has the terms with most counts first, and of as many the newest', async () => {
      for (const seconds of [40, 30, 20]) await count(stage, 'lamp', seconds)
      await count(stage, 'vase', 60)
      await count(stage, 'rug', 10)
      await count(stage, 'clock', 50)
      await count(stage, 'clock', 45)
      const store = await open()
      await expect.poll(() => store.top(10)).toEqual(['lamp', 'clock', 'rug', 'vase'])
      expect(await store.top(2)).toEqual(['lamp', 'clock'])
    })

    it('SRCH-01 has each term in its newest spelling, whatever comes first', async () => {
      await count(stage, 'LAMP', 5)
      await count(stage, 'Lamp', 15)
      await count(stage, 'a term of  words ', 25)
      const store = await open()
      await expect.poll(() => store.top(10)).toEqual(['LAMP', 'a term of  words '])
      await count(stage, 'lamp')
      await expect.poll(() => store.top(10)).toEqual(['lamp', 'a term of  words '])
    })

    it('SRCH-01 is of the last 24 hours, to the second', async () => {
      const day = 24 * 3600
      for (let time = 0; time < 5; time += 1) await count(stage, 'older', day + 1)
      for (const seconds of [day - 10, day - 10, 100]) await count(stage, 'going', seconds)
      for (const seconds of [200, 300]) await count(stage, 'staying', seconds)
      const store = await open()
      await expect.poll(() => store.top(10)).toEqual(['going', 'staying'])
      await expect.poll(() => store.top(10)).toEqual(['staying', 'going'])
    })

    it('SRCH-01 shows what is counted while it is asked, in every process', async () => {
      const [first, second] = [await open(), await open()]
      const both = () => Promise.all([first.top(10), second.top(10)])
      await count(stage, 'lamp')
      await expect.poll(both).toEqual([['lamp'], ['lamp']])
      for (let time = 0; time < 2; time += 1) await count(stage, 'clock')
      await expect.poll(both).toEqual([
        ['clock', 'lamp'],
        ['clock', 'lamp'],
      ])
    })

    it('counts what lies close together, and late, once each', async () => {
      await stage.rows(
        `insert into search_counts select 'lamp', 'lamp', statement_timestamp() from generate_series(1, 30)`,
      )
      for (let time = 0; time < 29; time += 1) await count(stage, 'clock')
      const store = await open()
      await expect.poll(() => store.top(10)).toEqual(['lamp', 'clock'])
      // As a transaction that took 5 s leaves them.
      for (let time = 0; time < 2; time += 1) await count(stage, 'clock', 5)
      await expect.poll(() => store.top(10)).toEqual(['clock', 'lamp'])
    })

    it('has nothing when there is none', async () => {
      const store = await open()
      expect(await store.top(10)).toEqual([])
    })

    it('takes in a long history', async () => {
      const id = newId()
      await stage.rows(
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
