import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { emptyListing } from '../src/rules/empty-listing.fixture.ts'
import { startHarness, type Harness } from './testing/harness.ts'
import { initialDataOf, rootHtmlOf, summaryOf } from './testing/page-parts.ts'

const id = '0192f000-0000-7000-8000-000000000001'
const lamp = { ...emptyListing, id, title: 'A lamp' }
const art = { id: 1, name: 'Fine Art', slug: 'art', description: 'Paintings & prints.', created_at: '', updated_at: '' }
const results = '/?search=a+%3Cb%3E&category=art&condition=new&minPrice=5.00&sort=price-asc&utm_source=x'
const withoutResults = { statusCode: 200, title: 'a &lt;b&gt; for Sale', hasInitialData: true, rootHtml: '' }

let harness: Harness
const get = (url: string) => harness.app.inject({ url, headers: { accept: 'text/html' } })

beforeAll(async () => {
  harness = await startHarness()
  harness.catalog.respond = () => [art]
})
afterAll(() => harness.stop())
beforeEach(() => {
  harness.search.respond = () => [lamp]
})

it('SRCH-24 results are embedded and prerendered', async () => {
  harness.search.requests.length = 0
  harness.search.respond = (_url, reply) =>
    reply.header('x-total-count', '2').header('x-search-corrected', 'a%20b').send([lamp])
  const { body } = await get(results)
  const filters = { search: 'a <b>', category: 'art', minPrice: '5', condition: 'new', sort: 'price-asc' }
  expect(initialDataOf(body)).toEqual({
    at: expect.any(String),
    categories: [art],
    lists: [{ filters, listings: [lamp], total: '2', link: null, corrected: 'a%20b' }],
  })
  expect(rootHtmlOf(body)).toContain(' with at,lists,categories')
  expect(harness.search.requests.map((url) => Object.fromEntries(new URLSearchParams(url.split('?')[1])))).toEqual([
    { ...filters, fields: 'card' },
  ])
})

it.each(['/?category=art', '/?minPrice=5', '/?format=auction', '/?seller=' + id])(
  'SRCH-24 results are prerendered for the filter %s',
  async (url) => expect(rootHtmlOf((await get(url)).body)).toContain('lists'),
)

it.each([400, 404, 503])('SRCH-24 results are left to the browser if search returns %i', async (status) => {
  harness.search.respond = (_url, reply) => reply.code(status).send({})
  const response = await get(results)
  expect(summaryOf(response)).toMatchObject(withoutResults)
  expect(initialDataOf(response.body)).toEqual({ at: expect.any(String), categories: [art], lists: [] })
})

it('SRCH-24 results are left to the browser if search misses the deadline', async () => {
  const slow = await startHarness({ PRERENDER_TIMEOUT_MS: '2000' })
  slow.catalog.respond = () => [art]
  slow.search.respond = () => new Promise(() => {})
  expect(summaryOf(await slow.app.inject({ url: results }))).toMatchObject(withoutResults)
  await slow.stop()
})

it('SRCH-24 results are searched 20 at a time, and further pages are left to the browser without a wait', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  harness.search.requests.length = 0
  harness.search.respond = async (_url, reply) => {
    await promise
    return reply.send([lamp])
  }
  const searching = Array.from({ length: 20 }, (_, count) => get(`/?search=lamp+${count}`))
  await vi.waitUntil(() => harness.search.requests.length === 20, { timeout: 30_000 })
  const others = await Promise.all([get('/?search=lamp'), get('/?category=art')])
  expect(others.map(({ body }) => rootHtmlOf(body))).toEqual(['', ''])
  expect(harness.search.requests).toHaveLength(20)
  resolve()
  const bodies = (await Promise.all(searching)).map(({ body }) => rootHtmlOf(body))
  expect(bodies.filter((body) => body === '')).toEqual([])
  expect(rootHtmlOf((await get('/?search=lamp')).body)).toContain('lists')
})
