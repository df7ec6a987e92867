import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { auctionEndingIn } from '../testing/listings.ts'
import { createHarness, type Harness } from '../testing/harness.ts'

let harness: Harness

beforeAll(async () => {
  harness = await createHarness()
  await harness.createListing({ title: 'A brass lamp', categoryName: 'Lighting', categorySlug: 'lighting' })
  await harness.createListing({ title: 'A glass LAMP' })
  await harness.createListing({ title: 'a brass lamp' })
  await harness.createListing({ title: 'A clock', isActive: false, categoryName: 'Sold', categorySlug: 'sold' })
  await harness.createListing({ title: 'A watch', ...auctionEndingIn(-1) })
  const body = { search_term: 'brass la', session_id: 's1', result_count: 2 }
  await harness.request('POST', '/api/search/track', { body })
  await harness.request('POST', '/api/search/track', { body: { ...body, search_term: 'lamp glass', result_count: 0 } })
  await harness.request('POST', '/api/search/track', { body: { ...body, search_term: 'lava lamp', session_id: 's2' } })
})
afterAll(() => harness.close())

async function suggestions(q: string): Promise<string[]> {
  const response = await harness.request('GET', `/api/search/suggestions?q=${encodeURIComponent(q)}`)
  expect(response.statusCode).toBe(200)
  return response.json<{ title: string; type: string }[]>().map(({ title, type }) => `${type}: ${title}`)
}

describe('suggestions', () => {
  it.each([
    ['la', ['search: brass la', 'listing: a brass lamp', 'listing: A glass LAMP']],
    ['BRASS', ['search: brass la', 'listing: a brass lamp']],
    ['brass l', ['search: brass la', 'listing: a brass lamp']],
    ['ava', []],
    ['light', ['category: Lighting']],
    ['home', ['category: Home Decor']],
    ['decor', ['category: Home Decor']],
    ['glass lam', ['listing: A glass LAMP']],
    ['glsas lamp', ['listing: A glass LAMP']],
    ['sold', []],
    ['clock', []],
    ['watch', []],
    ['   ', []],
    ['', []],
  ])('SRCH-03 complete %j', async (q, expected) => {
    expect(await suggestions(q)).toEqual(expected)
  })

  it.each(['%', '_', '\\', "'", '"', ':*', '!', '&', '<script>', '\u202E', 'x '.repeat(100)])(
    'R8 treat %j as plain text',
    async (q) => {
      expect(await suggestions(q)).toEqual([])
    },
  )

  it('SRCH-03 begin with the titles that the typed text completes', async () => {
    await harness.createListing({ title: 'Walnut bureau' })
    await harness.createListing({ title: 'Oak table', description: 'Looks like walnut.' })
    expect(await suggestions('waln')).toEqual(['listing: Walnut bureau', 'listing: Oak table'])
  })

  it('SRCH-21 name a category by its synonyms, with its slug', async () => {
    await harness.createListing({ title: 'A tandem', categoryName: 'Bikes', categorySlug: 'bikes' })
    await expect
      .poll(async () => (await harness.request('GET', '/api/search/suggestions?q=bicycle')).json())
      .toEqual([{ title: 'Bikes', type: 'category', slug: 'bikes' }])
  })

  it('SRCH-21 lead to at least one listing each', async () => {
    for (const q of ['la', 'brass', 'home', 'glsas', 'lava']) {
      const found = (await harness.request('GET', `/api/search/suggestions?q=${q}`)).json()
      for (const { title, slug } of found) {
        const query: Record<string, string> = slug === null ? { search: title } : { category: slug }
        expect([title, (await harness.browse(query)).total]).not.toEqual([title, '0'])
      }
    }
  })

  it('R8 query the database once for concurrent requests with the same text', async () => {
    const query = vi.spyOn(pg.Client.prototype, 'query')
    const responses = await Promise.all(Array.from({ length: 200 }, () => suggestions('g')))
    const statements = query.mock.calls.filter((call) => JSON.stringify(call[0]).includes('listing_words'))
    query.mockRestore()
    expect(new Set(responses.map(String)).size).toBe(1)
    expect(statements.length).toBeGreaterThan(0)
    expect(statements.length).toBeLessThan(20)
  })

  it.each(['', 'q[]=a', 'q[$ne]=a', 'q=a&q=b', 'q=a%00b', `q=${'x'.repeat(201)}`])(
    'reject ?%s with 400',
    async (query) => {
      const response = await harness.request('GET', `/api/search/suggestions?${query}`)
      expect([response.statusCode, response.json().details?.[0]?.path]).toEqual([400, 'q'])
    },
  )

  it.each(['q=%ff', 'q=%', 'q=%ED%A0%80'])('S15 cause no server error for ?%s', async (query) => {
    expect((await harness.request('GET', `/api/search/suggestions?${query}`)).statusCode).toBeLessThan(500)
  })
})
