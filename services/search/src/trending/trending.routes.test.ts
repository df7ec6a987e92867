import { randomUser, type TestUser } from '@marketplace/testing/keys.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createHarness, type Harness } from '../testing/harness.ts'
import { deleteExpiredCounts } from './counts.repo.ts'

let harness: Harness

const numbers = Array.from({ length: 90 }, (_, index) => index + 1)

beforeAll(async () => {
  harness = await createHarness()
  await harness.createListing({ title: 'term spam lamp clock unicorn old new', description: numbers.join(' ') })
})
beforeEach(async () => {
  await harness.query('truncate searches, search_counts, address_counts, blocked_terms')
})
afterAll(() => harness.close())

/** Tracks a search of a user, or of a signed-out visitor with this session id and address. */
async function track(
  search_term: string,
  searcher: string | TestUser,
  { result_count = 1, address = '' } = {},
): Promise<void> {
  const body = { search_term, result_count, ...(typeof searcher === 'string' && { session_id: searcher }) }
  const response = await harness.request('POST', '/api/search/track', {
    body,
    headers: address === '' ? {} : { 'x-forwarded-for': address },
    ...(typeof searcher === 'object' && { as: searcher }),
  })
  expect(response.json()).toEqual({ tracked: true })
}

async function trending(): Promise<string[]> {
  const response = await harness.request('GET', '/api/search/trending')
  return response.json<{ search_term: string }[]>().map(({ search_term }) => search_term)
}

async function counts(term: string): Promise<number> {
  return (await harness.query('select 1 from search_counts where term_key = $1', [term])).length
}

const hoursAgo = (hours: number) =>
  harness.query(`update searches set counted_at = counted_at - $1::int * interval '1 hour'`, [hours])

describe('trending', () => {
  it('SRCH-01 orders terms by number of searchers, at most 10', async () => {
    for (let term = 1; term <= 12; term++) {
      for (let session = 0; session < term; session++) await track(`term ${term}`, `s${session}`)
    }
    await expect.poll(trending).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3].map((term) => `term ${term}`))
  })

  it('SRCH-01 ignores case and returns the newest spelling', async () => {
    await track('lamp', 's1')
    await track('clock', 's1')
    await track('LAMP', 's2')
    await expect.poll(trending).toEqual(['LAMP', 'clock'])
  })

  it('L15 counts each user and each signed-out session once per term and hour', async () => {
    const alice = randomUser('Alice')
    for (let time = 0; time < 50; time++) await track(time % 2 ? 'spam' : 'SPAM', 's1')
    for (let time = 0; time < 10; time++) await track('spam', alice)
    for (const session of ['s1', 's2', 's3']) await track('lamp', session)
    await expect.poll(trending).toEqual(['lamp', 'spam'])
    expect(await counts('spam')).toBe(2)
  })

  // Fails without `when excluded.counted_at - interval '1 hour' < stored.counted_at …` in recordSearch.
  it('L15 counts concurrent searches of one session once', async () => {
    await Promise.all(Array.from({ length: 50 }, () => track('lamp', 's1')))
    expect(await counts('lamp')).toBe(1)
  })

  it('L15 counts a repeated search after an hour, but not after 59 minutes', async () => {
    await track('lamp', 's1')
    await harness.query(`update searches set counted_at = counted_at - interval '59 minutes'`)
    await track('lamp', 's1')
    expect(await counts('lamp')).toBe(1)
    await hoursAgo(1)
    await track('lamp', 's1')
    expect(await counts('lamp')).toBe(2)
    await track('lamp', 's1')
    expect(await counts('lamp')).toBe(2)
  })

  it('SRCH-01 includes a term only once a search for it has results', async () => {
    for (const session of ['s1', 's2', 's3']) await track('unicorn', session, { result_count: 0 })
    await track('lamp', 's1')
    await expect.poll(trending).toEqual(['lamp'])
    for (const session of ['s1', 's2']) await track('unicorn', session)
    await expect.poll(trending).toEqual(['unicorn', 'lamp'])
    await track('unicorn', 's1', { result_count: 0 })
    await track('unicorn', 's1')
    expect(await counts('unicorn')).toBe(2)
  })

  it('SRCH-01 covers the last 24 hours; older counts are deleted', async () => {
    for (const session of ['s1', 's2']) await track('old', session)
    await harness.query(`update search_counts set counted_at = counted_at - interval '24 hours'`)
    await track('new', 's1')
    await expect.poll(trending).toEqual(['new'])
    expect(await deleteExpiredCounts(harness.db)).toBe(2)
    expect(await deleteExpiredCounts(harness.db)).toBe(0)
    await expect.poll(trending).toEqual(['new'])
  })
})

describe('L15 R14 trending terms of one address', () => {
  it('count once an hour, whatever the number of sessions', async () => {
    for (const session of ['s1', 's2', 's3']) await track('lamp', session, { address: `192.0.2.${session.slice(1)}` })
    for (const n of numbers) await track('spam', `fresh ${n}`, { address: '203.0.113.7' })
    await expect.poll(trending).toEqual(['lamp', 'spam'])
    expect([await counts('lamp'), await counts('spam')]).toEqual([3, 1])
    await harness.query(`update address_counts set counted_at = counted_at - interval '1 hour'`)
    await track('spam', 'one more', { address: '203.0.113.7' })
    expect(await counts('spam')).toBe(2)
  })

  it('count once for 50 concurrent requests, and once for a network of IPv6 addresses', async () => {
    await Promise.all(numbers.slice(0, 50).map((n) => track('clock', `c${n}`, { address: '203.0.113.8' })))
    for (const n of numbers) await track('spam', `fresh ${n}`, { address: `2001:db8:0:1::${n}` })
    expect([await counts('clock'), await counts('spam')]).toEqual([1, 1])
    await track('spam', 'other network', { address: '2001:db8:0:2::1' })
    await track('spam', randomUser('Alice'), { address: '203.0.113.8' })
    expect(await counts('spam')).toBe(3)
  })

  it('are not shown without an active listing that has their words, whatever result count is sent', async () => {
    for (const n of numbers) {
      await track('buy at evil.example', `fresh ${n}`, { address: `198.51.100.${n}`, result_count: 1_000_000 })
    }
    await track('lamp', 's1', { address: '192.0.2.1' })
    await expect.poll(trending).toEqual(['lamp'])
    expect(await counts('buy at evil.example')).toBe(90)
  })
})
