import { newId } from '@marketplace/kit/ids.ts'
import { someone } from '@marketplace/testing/keys.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { setStage, type Request, type Stage } from '../testing/stage.ts'
import { forgetOldSearches } from './searches.repo.ts'

let stage: Stage

beforeAll(async () => {
  stage = await setStage()
})
beforeEach(async () => {
  await stage.rows('truncate searches, search_counts, idempotency_keys')
})
afterAll(() => stage.close())

const alice = someone('Alice')
const bob = someone('Bob')

async function track(search_term: string, body: object, request: Request = {}) {
  const answer = await stage.ask('POST', '/api/search/track', {
    body: { search_term, result_count: 1, ...body },
    ...request,
  })
  return [answer.statusCode, answer.json()]
}

async function history(query: string, request: Request = {}): Promise<string[]> {
  const answer = await stage.ask('GET', `/api/search/history${query}`, request)
  expect(answer.statusCode).toBe(200)
  return answer.json<{ search_term: string }[]>().map(({ search_term }) => search_term)
}

describe('tracking a search', () => {
  it('SRCH-04 keeps the trimmed term', async () => {
    expect(await track('  brass lamp ', { session_id: 's1' })).toEqual([200, { tracked: true }])
    expect(await history('?session_id=s1')).toEqual(['brass lamp'])
  })

  it.each(['', '   ', '\t\n'])('SRCH-04 ignores %j', async (term) => {
    expect(await track(term, { session_id: 's1' })).toEqual([200, { tracked: false }])
    expect(await stage.rows('select 1 from searches')).toEqual([])
  })

  it('SRCH-04 needs no session_id from somebody signed in', async () => {
    expect(await track('lamp', {}, { as: alice })).toEqual([200, { tracked: true }])
    expect(await history('', { as: alice })).toEqual(['lamp'])
  })

  it('SRCH-04 tracks nothing for a wrong token', async () => {
    const headers = { authorization: 'Bearer x.y.z' }
    expect(await track('lamp', { session_id: 's1' }, { headers })).toMatchObject([401, { code: 'unauthenticated' }])
    expect(await stage.rows('select 1 from searches')).toEqual([])
  })

  it('answers the first answer for the same Idempotency-Key of a user, and ignores the key signed out', async () => {
    const headers = { 'idempotency-key': 'k1' }
    expect(await track('lamp', {}, { as: alice, headers })).toEqual([200, { tracked: true }])
    await stage.rows('truncate searches')
    expect(await track('lamp', {}, { as: alice, headers })).toEqual([200, { tracked: true }])
    expect(await stage.rows('select 1 from searches')).toEqual([])
    expect(await track('clock', {}, { as: alice, headers })).toMatchObject([422, { code: 'idempotency_key_reused' }])
    expect(await track('lamp', { session_id: 's1' }, { headers })).toEqual([200, { tracked: true }])
    expect(await track('clock', { session_id: 's1' }, { headers })).toEqual([200, { tracked: true }])
    expect(await history('?session_id=s1')).toEqual(['clock', 'lamp'])
  })

  const good = { search_term: 'lamp', session_id: 's1', result_count: 1 }
  const bad: [string, unknown][] = [
    ['search_term', { ...good, search_term: undefined }],
    ['search_term', { ...good, search_term: 7 }],
    ['search_term', { ...good, search_term: null }],
    ['search_term', { ...good, search_term: ['lamp'] }],
    ['search_term', { ...good, search_term: 'x'.repeat(201) }],
    ['search_term', { ...good, search_term: 'a\u0000b' }],
    ['search_term', '{"search_term":"\\ud800","session_id":"s1","result_count":1}'],
    ['session_id', { ...good, session_id: undefined }],
    ['session_id', { ...good, session_id: '' }],
    ['session_id', { ...good, session_id: '  ' }],
    ['session_id', { ...good, session_id: 7 }],
    ['session_id', { ...good, session_id: null }],
    ['session_id', { ...good, session_id: { $ne: '' } }],
    ['session_id', { ...good, session_id: 'x'.repeat(101) }],
    ['session_id', { ...good, session_id: 'a\u0000b' }],
    ['result_count', { ...good, result_count: undefined }],
    ['result_count', { ...good, result_count: -1 }],
    ['result_count', { ...good, result_count: 1.5 }],
    ['result_count', { ...good, result_count: '1' }],
    ['result_count', { ...good, result_count: null }],
    ['result_count', '{"search_term":"lamp","session_id":"s1","result_count":1e400}'],
    ['result_count', '{"search_term":"lamp","session_id":"s1","result_count":9007199254740993}'],
    ['body', []],
    ['body', 'null'],
    ['body', '"lamp"'],
    ['body', '{'],
    ['body', ''],
  ]
  it.each(bad)('SRCH-04 refuses a wrong %s: %j', async (field, body) => {
    const answer = await stage.ask('POST', '/api/search/track', { body })
    const { error, details } = answer.json<{ error: string; details: { path: string }[] }>()
    expect([answer.statusCode, details[0]?.path]).toEqual([400, field])
    expect(error).not.toMatch(/select|insert|node_modules/)
    expect(await stage.rows('select 1 from searches')).toEqual([])
  })

  it('refuses what is no JSON, or too much of it', async () => {
    const headers = { 'content-type': 'text/plain' }
    expect((await stage.ask('POST', '/api/search/track', { body: good, headers })).statusCode).toBe(415)
    const body = { ...good, search_term: 'x'.repeat(10_000_000) }
    expect((await stage.ask('POST', '/api/search/track', { body })).statusCode).toBe(413)
  })

  it.each([
    '\n{"level":"fatal"}',
    '\u001B[31mred',
    '<script>alert(1)</script>',
    "'; drop table searches; --",
    '\u202E',
    '\u{1F570}'.repeat(200),
  ])('takes %j as text', async (term) => {
    expect(await track(term, { session_id: 's1' })).toEqual([200, { tracked: true }])
    expect(await history('?session_id=s1')).toEqual([term.trim()])
  })
})

describe('search history', () => {
  it('SRCH-02 has the last 10 different terms, newest first', async () => {
    for (let index = 1; index <= 12; index++) await track(`term ${index}`, {}, { as: alice })
    await track('term 5', { result_count: 0 }, { as: alice })
    expect(await history('', { as: alice })).toEqual([5, 12, 11, 10, 9, 8, 7, 6, 4, 3].map((index) => `term ${index}`))
  })

  it('SRCH-02 has a term once, whatever its case and spelling, as it was typed last', async () => {
    for (const term of ['Café', 'lamp', 'CAFE\u0301']) await track(term, {}, { as: alice })
    expect(await history('', { as: alice })).toEqual(['CAFÉ', 'lamp'])
  })

  it('SRCH-02 keeps users and sessions apart', async () => {
    await track('of alice', { session_id: 's1' }, { as: alice })
    await track('of bob', { session_id: 's1' }, { as: bob })
    await track('of the browser', { session_id: 's1' })
    await track('of another', { session_id: 's2' })
    expect(await history('?session_id=s1')).toEqual(['of the browser'])
    expect(await history('?session_id=s2')).toEqual(['of another'])
    expect(await history('', { as: alice })).toEqual(['of alice'])
    expect(await history('?session_id=s2', { as: bob })).toEqual(['of bob'])
  })

  it('B11 tells nobody of a user’s searches, whatever session_id they guess', async () => {
    await track('secret', { session_id: 's1' }, { as: alice })
    const guesses = [alice.userId, `user:${alice.userId}`, 's1', '%', '_1', "' or true --", ...numbers(1, 100)]
    for (const guess of guesses) expect(await history(`?session_id=${encodeURIComponent(guess)}`)).toEqual([])
    expect(await history(`?session_id=s1`, { as: bob })).toEqual([])
  })

  it.each(['', '?session_id=', '?session_id=%20', '?session_id=nobody'])(
    'SRCH-02 is empty signed out for %j',
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
  ])('refuses ?%s', async (query) => {
    const answer = await stage.ask('GET', `/api/search/history?${query}`)
    expect([answer.statusCode, answer.json().details?.[0]?.path]).toEqual([400, 'session_id'])
  })

  it.each(['session_id=%ff', 'session_id=%', 'session_id=%ED%A0%80'])('S15 takes no harm from ?%s', async (query) => {
    expect((await stage.ask('GET', `/api/search/history?${query}`)).statusCode).toBeLessThan(500)
  })
})

function numbers(from: number, to: number): string[] {
  return Array.from({ length: to - from + 1 }, (_, index) => String(from + index))
}

describe('what was searched long ago', () => {
  it('is forgotten, and only that', async () => {
    for (const term of ['lamp', 'vase', 'rug']) await track(term, { session_id: 's1' })
    await stage.rows(`update searches set searched_at = now() - interval '1 day 1 minute' where term <> 'rug'`)
    expect(await forgetOldSearches(stage.db, stage.settings.KEEP_SEARCHES_MS)).toBe(2)
    expect(await forgetOldSearches(stage.db, stage.settings.KEEP_SEARCHES_MS)).toBe(0)
    expect(await history('?session_id=s1')).toEqual(['rug'])
  })
})
