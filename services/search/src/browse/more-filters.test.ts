import { newId } from '@marketplace/kit/values/ids.ts'
import { describe, expect, it } from 'vitest'
import { backfillFilters } from '../listing/backfill-filters.repo.ts'
import { createAreFiltersReady, createFilterBackfill } from '../listing/backfill-filters.ts'
import { startWithEmptyIndex } from '../testing/empty-index.ts'
import { createHarness, type Harness } from '../testing/harness.ts'
import { auctionEndingIn, makeListing, watches } from '../testing/listings.ts'

let harness: Harness

startWithEmptyIndex((started) => {
  harness = started
})

async function titles(query: Record<string, string>): Promise<unknown[]> {
  const { body } = await harness.browse(query)
  return body.map(({ title }) => title)
}

const seller = newId()

async function createListings(): Promise<void> {
  await harness.createListing({ title: 'lamp', shippingCents: 0, location: 'Portland, OR', sellerId: seller })
  await harness.createListing({
    title: 'auction lamp',
    shippingCents: 500,
    location: 'Portland, ME',
    ...auctionEndingIn(60),
  })
  await harness.createListing({
    title: 'auction clock',
    shippingCents: 0,
    sellerId: seller,
    ...auctionEndingIn(60, 900),
  })
  await harness.createListing({ title: 'clock', shippingCents: 100, location: 'St. Louis', ...watches })
}

describe('the filters format, freeShipping, location and seller', () => {
  it.each([
    [{ format: 'auction' }, ['auction clock', 'auction lamp']],
    [{ format: 'fixed' }, ['clock', 'lamp']],
    [{ freeShipping: 'true' }, ['auction clock', 'lamp']],
    [{ location: 'portland' }, ['auction lamp', 'lamp']],
    [{ location: 'OR portland' }, ['lamp']],
    [{ location: 'st. louis' }, ['clock']],
    [{ location: "saint 'louis" }, []],
    [{ location: '!!' }, ['clock', 'auction clock', 'auction lamp', 'lamp']],
    [{ seller }, ['auction clock', 'lamp']],
    [{ seller: newId() }, []],
    [{ seller, format: 'fixed', search: 'lamp' }, ['lamp']],
    [{ seller, search: 'clock', sort: 'price-asc' }, ['auction clock']],
    [{ seller, sort: 'price-asc' }, ['auction clock', 'lamp']],
    [{ format: 'auction', sort: 'ending-soon' }, ['auction lamp', 'auction clock']],
    [{ format: 'auction', search: 'lamp' }, ['auction lamp']],
    [{ freeShipping: 'true', format: 'auction', maxPrice: '10' }, ['auction clock']],
    [{ category: 'watches', format: 'fixed', condition: 'good' }, ['clock']],
  ])('SRCH-16 %j selects %j', async (query, expected) => {
    await createListings()
    expect(await titles(query)).toEqual(expected)
    expect((await harness.browse({ ...query, limit: '1' })).total).toBe(String(expected.length))
    expect((await harness.pages({ ...query, limit: '1' })).flat()).toHaveLength(expected.length)
  })

  it('SRCH-16 follow a change of the listing', async () => {
    const listing = makeListing({ title: 'lamp', location: 'Portland', shippingCents: 0 })
    await harness.createListing(listing)
    await harness.changeListing({ ...listing, location: 'Austin', shippingCents: 100, version: 2n })
    expect(await titles({ location: 'portland' })).toEqual([])
    expect(await titles({ location: 'austin' })).toEqual(['lamp'])
    expect(await titles({ freeShipping: 'true' })).toEqual([])
  })

  it('SRCH-16 store at most 8 words of a location, and search words never match them', async () => {
    await harness.createListing({ title: 'lamp', location: 'a1 b2 c3 d4 e5 f6 g7 h8 i9 j10' })
    expect(await titles({ location: 'h8' })).toEqual(['lamp'])
    expect(await titles({ location: 'i9' })).toEqual([])
    for (const search of ['place', 'h8', 'format', 'fixed', 'free', 'shipping', 'seller'])
      expect([search, await titles({ search })]).toEqual([search, []])
  })
})

/** Makes rows look like those that were stored before migration 0013. */
async function forgetFilters(): Promise<void> {
  await harness.query('alter table listing_words disable trigger filter_words')
  await harness.query(`update listing_words set category_slug = null, condition = null, is_free = null,
    words = ts_delete(words, array(select w from unnest(tsvector_to_array(words)) as w where w ~ '^ (format|shipping|place)'))`)
  await harness.query('alter table listing_words enable trigger filter_words')
}

describe('the backfill of filter words', () => {
  it('SRCH-17 writes a bounded number of rows at a time, until none is left', async () => {
    await createListings()
    await forgetFilters()
    expect(await createAreFiltersReady(harness.db)()).toBe(false)
    const written: number[] = []
    for (let count = -1; count !== 0;) written.push((count = await backfillFilters(harness.db, 3)))
    expect(written).toEqual([3, 1, 0])
    expect(await createAreFiltersReady(harness.db)()).toBe(true)
    expect(await titles({ location: 'portland' })).toEqual(['auction lamp', 'lamp'])
  })

  it('SRCH-17 is done by concurrent processes without waiting for each other, each row once', async () => {
    for (let n = 0; n < 30; n += 1) await harness.createListing()
    await forgetFilters()
    const runs = await Promise.all(Array.from({ length: 50 }, () => backfillFilters(harness.db, 7)))
    expect(runs.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(30)
    while ((await createFilterBackfill(harness.db)()) > 0);
    expect(await harness.query('select from listing_words where is_free is null')).toEqual([])
  })

  it('SRCH-17 a filter is 503 and has no facet until it is done; the other filters work', async () => {
    const fresh = await createHarness()
    try {
      await fresh.createListing({ location: 'Portland' })
      await fresh.query('alter table listing_words disable trigger filter_words')
      await fresh.query('update listing_words set is_free = null')
      await fresh.query('alter table listing_words enable trigger filter_words')
      for (const query of ['format=fixed', 'freeShipping=true', 'location=x'])
        expect((await fresh.browse(`/api/listings?${query}`)).status).toBe(503)
      const { format, condition } = (await fresh.request('GET', '/api/listings/facets')).json()
      expect([format, condition[0]]).toEqual([[], { value: 'new', count: null }])
      expect((await fresh.browse({ condition: 'good' })).total).toBe('1')
      await createFilterBackfill(fresh.db)()
      await expect.poll(async () => (await fresh.browse({ format: 'fixed' })).status).toBe(200)
    } finally {
      await fresh.close()
    }
  })
})
