import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { auctionEndingIn } from '../testing/listings.ts'
import { setStage, type Stage } from '../testing/stage.ts'

let stage: Stage

beforeAll(async () => {
  stage = await setStage()
  await stage.list({ title: 'A brass lamp', categoryName: 'Lighting', categorySlug: 'lighting' })
  await stage.list({ title: 'A glass LAMP' })
  await stage.list({ title: 'a brass lamp' })
  await stage.list({ title: 'A clock', isActive: false, categoryName: 'Sold', categorySlug: 'sold' })
  await stage.list({ title: 'A watch', ...auctionEndingIn(-1) })
  const body = { search_term: 'Lava lamp', session_id: 's1', result_count: 2 }
  await stage.ask('POST', '/api/search/track', { body })
  await stage.ask('POST', '/api/search/track', { body: { ...body, search_term: 'lamp shade', result_count: 0 } })
})
afterAll(() => stage.close())

async function suggestions(q: string): Promise<string[]> {
  const answer = await stage.ask('GET', `/api/search/suggestions?q=${encodeURIComponent(q)}`)
  expect(answer.statusCode).toBe(200)
  return answer.json<{ title: string; type: string }[]>().map(({ title, type }) => `${type}: ${title}`)
}

describe('suggestions', () => {
  it.each([
    ['la', ['search: Lava lamp', 'listing: a brass lamp', 'listing: A glass LAMP']],
    ['LAVA', ['search: Lava lamp']],
    ['lava l', ['search: Lava lamp']],
    ['ava', []],
    ['light', ['category: Lighting']],
    ['home', ['category: Home Decor']],
    ['decor', ['category: Home Decor']],
    ['glass lam', ['listing: A glass LAMP']],
    ['glas lmap', ['listing: A glass LAMP']],
    ['sold', []],
    ['clock', []],
    ['watch', []],
    ['   ', []],
    ['', []],
  ])('SRCH-03 for %j', async (q, expected) => {
    expect(await suggestions(q)).toEqual(expected)
  })

  it.each(['%', '_', '\\', "'", '"', ':*', '!', '&', '<script>', '\u202E', 'x '.repeat(100)])(
    'R8 take %j as text',
    async (q) => {
      expect(await suggestions(q)).toEqual([])
    },
  )

  it('R8 ask the database once for many who type the same', async () => {
    const before = await scans()
    const answers = await Promise.all(Array.from({ length: 200 }, () => suggestions('g')))
    expect(new Set(answers.map(String)).size).toBe(1)
    expect((await scans()) - before).toBeLessThan(20)
  })

  it.each(['', 'q[]=a', 'q[$ne]=a', 'q=a&q=b', 'q=a%00b', `q=${'x'.repeat(201)}`])('refuse ?%s', async (query) => {
    const answer = await stage.ask('GET', `/api/search/suggestions?${query}`)
    expect([answer.statusCode, answer.json().details?.[0]?.path]).toEqual([400, 'q'])
  })

  it.each(['q=%ff', 'q=%', 'q=%ED%A0%80'])('S15 take no harm from ?%s', async (query) => {
    expect((await stage.ask('GET', `/api/search/suggestions?${query}`)).statusCode).toBeLessThan(500)
  })
})

// How often words were looked up.
async function scans(): Promise<number> {
  await stage.rows('select pg_stat_force_next_flush()')
  const [row] = await stage.rows(
    `select sum(idx_scan + seq_scan)::int as scans from pg_stat_user_tables where relname = 'listing_words'`,
  )
  return Number(row?.['scans'])
}
