import { someone, type TestUser } from '@marketplace/testing/keys.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { setStage, type Stage } from '../testing/stage.ts'
import { forgetOldCounts } from './counts.repo.ts'

let stage: Stage

beforeAll(async () => {
  stage = await setStage()
})
beforeEach(async () => {
  await stage.rows('truncate searches, search_counts')
})
afterAll(() => stage.close())

async function track(search_term: string, searcher: string | TestUser, result_count = 1): Promise<void> {
  const body = { search_term, result_count, ...(typeof searcher === 'string' && { session_id: searcher }) }
  const answer = await stage.ask('POST', '/api/search/track', {
    body,
    ...(typeof searcher === 'object' && { as: searcher }),
  })
  expect(answer.json()).toEqual({ tracked: true })
}

async function trending(): Promise<string[]> {
  const answer = await stage.ask('GET', '/api/search/trending')
  return answer.json<{ search_term: string }[]>().map(({ search_term }) => search_term)
}

// Each process keeps its answer for a moment.
async function counts(term: string): Promise<number> {
  return (await stage.rows('select 1 from search_counts where term_key = $1', [term])).length
}

const hoursAgo = (hours: number) =>
  stage.rows(`update searches set counted_at = counted_at - $1::int * interval '1 hour'`, [hours])

describe('trending', () => {
  it('SRCH-01 has the terms with most searchers first, at most 10', async () => {
    for (let term = 1; term <= 12; term++) {
      for (let session = 0; session < term; session++) await track(`term ${term}`, `s${session}`)
    }
    await expect.poll(trending).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3].map((term) => `term ${term}`))
  })

  it('SRCH-01 ignores case and has the newest spelling', async () => {
    await track('lamp', 's1')
    await track('clock', 's1')
    await track('LAMP', 's2')
    await expect.poll(trending).toEqual(['LAMP', 'clock'])
  })

  it('L15 counts users, and sessions of the signed out, each once per term and hour', async () => {
    const alice = someone('Alice')
    for (let time = 0; time < 50; time++) await track(time % 2 ? 'spam' : 'SPAM', 's1')
    for (let time = 0; time < 10; time++) await track('spam', alice)
    for (const session of ['s1', 's2', 's3']) await track('lamp', session)
    await expect.poll(trending).toEqual(['lamp', 'spam'])
    expect(await counts('spam')).toBe(2)
  })

  // Was red without keepSearch's line `when excluded.counted_at - interval '1 hour' < known.counted_at …`.
  it('L15 counts one of many at once', async () => {
    await Promise.all(Array.from({ length: 50 }, () => track('lamp', 's1')))
    expect(await counts('lamp')).toBe(1)
  })

  it('L15 counts a repeat after the hour, not a minute before', async () => {
    await track('lamp', 's1')
    await stage.rows(`update searches set counted_at = counted_at - interval '59 minutes'`)
    await track('lamp', 's1')
    expect(await counts('lamp')).toBe(1)
    await hoursAgo(1)
    await track('lamp', 's1')
    expect(await counts('lamp')).toBe(2)
    await track('lamp', 's1')
    expect(await counts('lamp')).toBe(2)
  })

  it('SRCH-01 has no term without results, and one that found something later', async () => {
    for (const session of ['s1', 's2', 's3']) await track('unicorn', session, 0)
    await track('lamp', 's1')
    await expect.poll(trending).toEqual(['lamp'])
    for (const session of ['s1', 's2']) await track('unicorn', session)
    await expect.poll(trending).toEqual(['unicorn', 'lamp'])
    await track('unicorn', 's1', 0)
    await track('unicorn', 's1')
    expect(await counts('unicorn')).toBe(2)
  })

  it('SRCH-01 is of the last 24 hours; older counts are forgotten', async () => {
    for (const session of ['s1', 's2']) await track('old', session)
    await stage.rows(`update search_counts set counted_at = counted_at - interval '24 hours'`)
    await track('new', 's1')
    await expect.poll(trending).toEqual(['new'])
    expect(await forgetOldCounts(stage.db)).toBe(2)
    expect(await forgetOldCounts(stage.db)).toBe(0)
    await expect.poll(trending).toEqual(['new'])
  })
})
