import { newId } from '@marketplace/kit/values/ids.ts'
import { randomUser } from '@marketplace/testing/keys.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createHarness, type Harness, type RequestOptions } from '../testing/harness.ts'
import { deleteExpiredSearches } from './searches.repo.ts'

let harness: Harness

beforeAll(async () => {
  harness = await createHarness()
})
beforeEach(async () => {
  await harness.query('truncate searches, search_counts, idempotency_keys')
})
afterAll(() => harness.close())

const alice = randomUser('Alice')
const bob = randomUser('Bob')

async function track(search_term: string, body: object, options: RequestOptions = {}) {
  const response = await harness.request('POST', '/api/search/track', {
    body: { search_term, result_count: 1, ...body },
    ...options,
  })
  return [response.statusCode, response.json()]
}

async function history(query: string, options: RequestOptions = {}): Promise<string[]> {
  const response = await harness.request('GET', `/api/search/history${query}`, options)
  expect(response.statusCode).toBe(200)
  return response.json<{ search_term: string }[]>().map(({ search_term }) => search_term)
}

describe('tracking a search', () => {
  it('SRCH-04 stores the trimmed term', async () => {
    expect(await track('  brass lamp ', { session_id: 's1' })).toEqual([200, { tracked: true }])
    expect(await history('?session_id=s1')).toEqual(['brass lamp'])
  })

  it.each(['', '   ', '\t\n'])('SRCH-04 ignores %j', async (term) => {
    expect(await track(term, { session_id: 's1' })).toEqual([200, { tracked: false }])
    expect(await harness.query('select 1 from searches')).toEqual([])
  })

  it('SRCH-04 needs no session_id when signed in', async () => {
    expect(await track('lamp', {}, { as: alice })).toEqual([200, { tracked: true }])
    expect(await history('', { as: alice })).toEqual(['lamp'])
  })

  it('SRCH-04 tracks nothing for an invalid token', async () => {
    const headers = { authorization: 'Bearer x.y.z' }
    expect(await track('lamp', { session_id: 's1' }, { headers })).toMatchObject([401, { code: 'unauthenticated' }])
    expect(await harness.query('select 1 from searches')).toEqual([])
  })

  it('repeats the first response for a user’s Idempotency-Key and ignores the key when signed out', async () => {
    const headers = { 'idempotency-key': 'k1' }
    expect(await track('lamp', {}, { as: alice, headers })).toEqual([200, { tracked: true }])
    await harness.query('truncate searches')
    expect(await track('lamp', {}, { as: alice, headers })).toEqual([200, { tracked: true }])
    expect(await harness.query('select 1 from searches')).toEqual([])
    expect(await track('clock', {}, { as: alice, headers })).toMatchObject([422, { code: 'idempotency_key_reused' }])
    expect(await track('lamp', { session_id: 's1' }, { headers })).toEqual([200, { tracked: true }])
    expect(await track('clock', { session_id: 's1' }, { headers })).toEqual([200, { tracked: true }])
    expect(await history('?session_id=s1')).toEqual(['clock', 'lamp'])
  })

  const valid = { search_term: 'lamp', session_id: 's1', result_count: 1 }
  const invalid: [string, unknown][] = [
    ['search_term', { ...valid, search_term: undefined }],
    ['search_term', { ...valid, search_term: 7 }],
    ['search_term', { ...valid, search_term: null }],
    ['search_term', { ...valid, search_term: ['lamp'] }],
    ['search_term', { ...valid, search_term: 'x'.repeat(201) }],
    ['search_term', { ...valid, search_term: 'a\u0000b' }],
    ['search_term', '{"search_term":"\\ud800","session_id":"s1","result_count":1}'],
    ['session_id', { ...valid, session_id: undefined }],
    ['session_id', { ...valid, session_id: '' }],
    ['session_id', { ...valid, session_id: '  ' }],
    ['session_id', { ...valid, session_id: 7 }],
    ['session_id', { ...valid, session_id: null }],
    ['session_id', { ...valid, session_id: { $ne: '' } }],
    ['session_id', { ...valid, session_id: 'x'.repeat(101) }],
    ['session_id', { ...valid, session_id: 'a\u0000b' }],
    ['result_count', { ...valid, result_count: undefined }],
    ['result_count', { ...valid, result_count: -1 }],
    ['result_count', { ...valid, result_count: 1.5 }],
    ['result_count', { ...valid, result_count: '1' }],
    ['result_count', { ...valid, result_count: null }],
    ['result_count', '{"search_term":"lamp","session_id":"s1","result_count":1e400}'],
    ['result_count', '{"search_term":"lamp","session_id":"s1","result_count":9007199254740993}'],
    ['body', []],
    ['body', 'null'],
    ['body', '"lamp"'],
    ['body', '{'],
    ['body', ''],
  ]
  it.each(invalid)('SRCH-04 rejects an invalid %s: %j', async (field, body) => {
    const response = await harness.request('POST', '/api/search/track', { body })
    const { error, details } = response.json<{ error: string; details: { path: string }[] }>()
    expect([response.statusCode, details[0]?.path]).toEqual([400, field])
    expect(error).not.toMatch(/select|insert|node_modules/)
    expect(await harness.query('select 1 from searches')).toEqual([])
  })

  it('rejects a body that is not JSON with 415 and one that is too large with 413', async () => {
    const headers = { 'content-type': 'text/plain' }
    expect((await harness.request('POST', '/api/search/track', { body: valid, headers })).statusCode).toBe(415)
    const body = { ...valid, search_term: 'x'.repeat(10_000_000) }
    expect((await harness.request('POST', '/api/search/track', { body })).statusCode).toBe(413)
  })

  it.each([
    ['\u001B[31mred', '[31mred'],
    ['a\n{"level":"fatal"}', 'a {"level":"fatal"}'],
    ['lamp\u202Epmal\u2066', 'lamppmal'],
    ['\u200F\u202E', null],
  ])('SRCH-09 strips control and direction characters from %j', async (term, stored) => {
    expect(await track(term, { session_id: 's1' })).toEqual([200, { tracked: stored !== null }])
    expect(await history('?session_id=s1')).toEqual(stored === null ? [] : [stored])
  })

  it.each(['{"level":"fatal"}', '<script>alert(1)</script>', "'; drop table searches; --", '\u{1F570}'.repeat(200)])(
    'stores %j as plain text',
    async (term) => {
      expect(await track(term, { session_id: 's1' })).toEqual([200, { tracked: true }])
      expect(await history('?session_id=s1')).toEqual([term.trim()])
    },
  )
})

describe('search history', () => {
  it('SRCH-02 returns the last 10 distinct terms, newest first', async () => {
    for (let index = 1; index <= 12; index++) await track(`term ${index}`, {}, { as: alice })
    await track('term 5', { result_count: 0 }, { as: alice })
    expect(await history('', { as: alice })).toEqual([5, 12, 11, 10, 9, 8, 7, 6, 4, 3].map((index) => `term ${index}`))
  })

  it('SRCH-02 returns a term once, ignoring case and normalization, in its latest spelling', async () => {
    for (const term of ['Café', 'lamp', 'CAFE\u0301']) await track(term, {}, { as: alice })
    expect(await history('', { as: alice })).toEqual(['CAFÉ', 'lamp'])
  })

  it('R14 SRCH-02 keeps the newest 100 terms of a user and of a session', async () => {
    for (const options of [{ as: alice }, {}]) {
      await harness.query('truncate searches')
      for (let index = 1; index <= 103; index++) await track(`term ${index}`, { session_id: 's1' }, options)
      const kept = await harness.query(`select term from searches order by searched_at`)
      expect(kept.map(({ term }) => term)).toEqual(numbers(4, 103).map((index) => `term ${index}`))
    }
  })

  it('SRCH-02 separates the histories of users and sessions', async () => {
    await track('of alice', { session_id: 's1' }, { as: alice })
    await track('of bob', { session_id: 's1' }, { as: bob })
    await track('of the browser', { session_id: 's1' })
    await track('of another', { session_id: 's2' })
    expect(await history('?session_id=s1')).toEqual(['of the browser'])
    expect(await history('?session_id=s2')).toEqual(['of another'])
    expect(await history('', { as: alice })).toEqual(['of alice'])
    expect(await history('?session_id=s2', { as: bob })).toEqual(['of bob'])
  })

  it('B11 hides a user’s searches from everyone else, whatever session_id they send', async () => {
    await track('secret', { session_id: 's1' }, { as: alice })
    const guesses = [alice.userId, `user:${alice.userId}`, 's1', '%', '_1', "' or true --", ...numbers(1, 100)]
    for (const guess of guesses) expect(await history(`?session_id=${encodeURIComponent(guess)}`)).toEqual([])
    expect(await history(`?session_id=s1`, { as: bob })).toEqual([])
  })

  it.each(['', '?session_id=', '?session_id=%20', '?session_id=nobody'])(
    'SRCH-02 is empty when signed out for %j',
    async (query) => {
      await track('lamp', { session_id: newId() })
      expect(await history(query)).toEqual([])
    },
  )

  it.each([
    'session_id[]=a',
    'session_id[$ne]=',
    'session_id=a&session_id=b',
    'session_id=a%00b',
    `session_id=${'x'.repeat(101)}`,
  ])('rejects ?%s with 400', async (query) => {
    const response = await harness.request('GET', `/api/search/history?${query}`)
    expect([response.statusCode, response.json().details?.[0]?.path]).toEqual([400, 'session_id'])
  })

  it.each(['session_id=%ff', 'session_id=%', 'session_id=%ED%A0%80'])(
    'S15 causes no server error for ?%s',
    async (query) => {
      expect((await harness.request('GET', `/api/search/history?${query}`)).statusCode).toBeLessThan(500)
    },
  )
})

function numbers(from: number, to: number): string[] {
  return Array.from({ length: to - from + 1 }, (_, index) => String(from + index))
}

describe('expired searches', () => {
  it('are deleted, and newer ones are kept', async () => {
    for (const term of ['lamp', 'vase', 'rug']) await track(term, { session_id: 's1' })
    await harness.query(`update searches set searched_at = now() - interval '1 day 1 minute' where term <> 'rug'`)
    expect(await deleteExpiredSearches(harness.db, harness.settings.SEARCH_HISTORY_RETENTION_MS)).toBe(2)
    expect(await deleteExpiredSearches(harness.db, harness.settings.SEARCH_HISTORY_RETENTION_MS)).toBe(0)
    expect(await history('?session_id=s1')).toEqual(['rug'])
  })
})
