import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createHarness, type Harness } from '../testing/harness.ts'
import { auctionEndingIn, watches, type ListingChange } from '../testing/listings.ts'
import { recountFacets } from './facet-counts.repo.ts'
import { facetNames, type Facets } from './facets.ts'

let harness: Harness

beforeAll(async () => {
  harness = await createHarness()
})
beforeEach(async () => {
  await harness.query('truncate listings, bids, views, listing_words, vocabulary, facet_counts, facet_recounts')
})
afterAll(() => harness.close())

async function facets(query: Record<string, string> = {}): Promise<Facets> {
  return (await harness.request('GET', `/api/listings/facets?${new URLSearchParams(query)}`)).json()
}

const parameters = { category: 'category', condition: 'condition', format: 'format', free_shipping: 'freeShipping' }

/** Returns each counted value with its count and the total of the list with that value as filter. */
async function compare(query: Record<string, string>) {
  const found = await facets(query)
  const values = facetNames.flatMap((name) => found[name].map(({ value, count }) => ({ name, value, count })))
  const totals: unknown[] = []
  for (const { name, value } of values)
    totals.push((await harness.browse({ ...query, [parameters[name]]: value })).total)
  return { counts: values.map(({ count }) => String(count)), totals }
}

const conditions = ['new', 'like-new', 'good', 'fair', 'poor']

async function createVaried(): Promise<void> {
  for (let n = 0; n < 40; n += 1) {
    const change: ListingChange = {
      title: n % 3 === 0 ? 'A brass lamp' : 'A glass clock',
      condition: conditions[n % 5] ?? 'good',
      shippingCents: n % 4 === 0 ? 0 : 500,
      priceCents: 1000 + n * 100,
      location: n % 2 === 0 ? 'Portland, OR' : 'Austin, TX',
    }
    await harness.createListing({
      ...change,
      ...(n % 7 === 0 ? watches : {}),
      ...(n % 3 === 1 ? auctionEndingIn(3600, 1000 + n * 100) : {}),
    })
  }
}

describe('GET /api/listings/facets', () => {
  it.each<Record<string, string>>([
    { search: 'lamp' },
    { search: 'lamp', condition: 'new' },
    { search: 'clock', category: 'watches', format: 'auction' },
    { search: 'clock', freeShipping: 'true', minPrice: '12' },
    { location: 'portland' },
    { location: 'austin tx', condition: 'good', format: 'fixed' },
    { minPrice: '15', maxPrice: '40' },
    { search: 'brass lanp', condition: 'fair' },
    { search: 'zzzzzz' },
  ])('SRCH-18 counts what each value of a filter would find: %j', async (query) => {
    await createVaried()
    const { counts, totals } = await compare(query)
    expect(counts).toEqual(totals)
    expect(counts.length).toBeGreaterThan(7)
  })

  it.each<Record<string, string>>([
    {},
    { condition: 'new' },
    { category: 'watches', format: 'auction' },
    { freeShipping: 'true' },
  ])('SRCH-18 counts without search words from the last recount: %j', async (query) => {
    await createVaried()
    await harness.createListing(auctionEndingIn(-60))
    expect(await recountFacets(harness.db, 60_000)).toBe(true)
    const { counts, totals } = await compare(query)
    expect(counts).toEqual(totals)
  })

  it('SRCH-18 has no numbers for more matches than one pass counts', async () => {
    await createVaried()
    await harness.query('alter table listing_words disable trigger all')
    await harness.query(
      `insert into listing_words (listing_id, words, listed_at, price_cents, category_slug, condition, is_free)
       select gen_random_uuid(), '''lantern'':1A', now(), 100, 'watches', 'new', false from generate_series(1, 10001)`,
    )
    await harness.query('alter table listing_words enable trigger all')
    await harness.query(`insert into lexemes values ('lantern')`)
    const found = await facets({ search: 'lantern' })
    expect(found.condition).toEqual(conditions.map((value) => ({ value, count: null })))
    expect((await facets({ search: 'lamp' })).condition.every(({ count }) => count !== null)).toBe(true)
  })

  it('SRCH-18 is recounted by one process at a time, and not before the age is reached', async () => {
    await harness.createListing()
    const recounts = await Promise.all(Array.from({ length: 50 }, () => recountFacets(harness.db, 60_000)))
    expect(recounts.filter(Boolean)).toHaveLength(1)
    expect(await recountFacets(harness.db, 0)).toBe(true)
    expect(await harness.query('select count from facet_counts')).toEqual([{ count: 1 }])
  })

  it.each(['format=bids', 'seller=7', 'freeShipping=yes', 'condition=mint', `search=${'x'.repeat(201)}`])(
    'SRCH-16 is 400 for ?%s',
    async (query) => {
      const { status, body } = await harness.browse(`/api/listings/facets?${query}`)
      expect([status, body.details?.[0]?.path]).toEqual([400, query.split('=')[0]])
    },
  )
})
