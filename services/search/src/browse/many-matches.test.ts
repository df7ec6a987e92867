import { beforeEach, describe, expect, it } from 'vitest'
import { startWithEmptyIndex } from '../testing/empty-index.ts'
import type { Harness } from '../testing/harness.ts'
import { insertMany } from '../testing/insert-many.ts'

let harness: Harness

startWithEmptyIndex((started) => {
  harness = started
})

describe('relevance', () => {
  it.each([
    [4000, 1000],
    [4100, 100],
  ])('ranks of %i matches the newest %i', async (count, ranked) => {
    const all = 12_500 + count
    await insertMany(harness, all, {
      title: `case when n > ${all - count} then 'A chair' else 'A clock' end`, category: `'home-decor'`, cents: 'n',
    }) // oxfmt-ignore
    // Only these two listings have the word in their titles, according to its weight.
    const titled = await harness.query(`
      update listing_words set words = setweight(words, 'A') where listing_id in (
        select id from (select id, row_number() over (order by created_at desc) as place from listings) as placed
        where place in (${ranked}, ${ranked + 1})
      ) returning listing_id as id, listed_at`)
    const [last] = titled.toSorted((one, other) => Number(other['listed_at']) - Number(one['listed_at']))
    await harness.query('analyze listings, listing_words')
    const newest = await harness.query('select id from listings order by created_at desc limit 2')
    const { ids, total } = await harness.browse({ search: 'chair', limit: '3' })
    expect([total, ids]).toEqual([String(count), [last?.['id'], ...newest.map(({ id }) => id)]])
  })
})

describe('relevance with a number of matches that becomes too high for a lookup after the first page', () => {
  // Fails if readRelevant scans later pages up to `scanLimit` only.
  it('HOME-19 shows every listing exactly once', async () => {
    await insertMany(harness, 16_000, {
      title: `case when n % 4 = 0 then 'A chair' else 'A clock' end`, category: `'home-decor'`, cents: 'n',
    }) // oxfmt-ignore
    // Some of the oldest ranked listings come first, according to the weight of their words.
    await harness.query(`
      update listing_words set words = setweight(words, 'A') where listing_id in (
        select id from listings where title = 'A chair' order by created_at desc limit 100 offset 900
      )`)
    await harness.query('analyze listings, listing_words')
    const chairs = await harness.query(`select id from listings where title = 'A chair'`)
    const first = await harness.browse({ search: 'chair', limit: '60' })
    await harness.query(`
      with changed as (
        update listings set title = 'A chair' where id in (
          select id from listings where title = 'A clock' order by created_at limit 200
        ) returning id
      ) update listing_words set words = to_tsvector('english', 'A chair') from changed where listing_id = changed.id`)
    // Estimates are cached until the number of listings changes.
    await harness.createListing({ title: 'A clock' })
    await harness.query('analyze listings, listing_words')
    const [, second = ''] = /^<(.+)>; rel="next"$/.exec(String(first.link)) ?? []
    const seen = [...first.ids, ...(await harness.pages(second)).flat()]
    const found = new Set(seen)
    expect(seen).toHaveLength(found.size)
    expect(chairs.filter(({ id }) => !found.has(String(id)))).toEqual([])
  })
})

describe('relevance with a listing that is edited into the ranked range after the first page', () => {
  // Fails if readRelevant ranks at most `maxRanked` matches on later pages.
  it('HOME-19 shows every unchanged listing exactly once', async () => {
    await insertMany(harness, 1201, {
      title: `case when n = 700 then 'A clock' else 'A chair' end`,
      category: `'home-decor'`,
      cents: 'n',
    })
    // The oldest ranked listing comes first, according to the weight of its words.
    await harness.query(`
      update listing_words set words = setweight(words, 'A') where listing_id = (
        select id from listings where title = 'A chair' order by created_at desc limit 1 offset 999
      )`)
    await harness.query('analyze listings, listing_words')
    const rows = await harness.query(`select id from listings where title = 'A chair'`)
    const chairs = new Set(rows.map(({ id }) => String(id)))
    const first = await harness.browse({ search: 'chair', limit: '100' })
    await harness.query(`
      with changed as (update listings set title = 'A chair' where title = 'A clock' returning id)
      update listing_words set words = to_tsvector('english', 'A chair') from changed where listing_id = changed.id`)
    const [, second = ''] = /^<(.+)>; rel="next"$/.exec(String(first.link)) ?? []
    const seen = [...first.ids, ...(await harness.pages(second)).flat()]
    expect(seen.filter((id) => chairs.has(id)).toSorted()).toEqual([...chairs].toSorted())
  })
})

describe('titles of a common word', () => {
  // Fails without readWholeSegment in readTitles.
  it('SRCH-03 are suggested even if only old listings have the word', async () => {
    await insertMany(harness, 12_500, {
      title: `case when n <= 1000 then 'A chair' else 'A clock' end`, category: `'home-decor'`, cents: 'n',
    }) // oxfmt-ignore
    await harness.query('analyze listings, listing_words')
    const response = await harness.request('GET', '/api/search/suggestions?q=chair')
    expect(response.json()).toEqual([expect.objectContaining({ title: 'A chair', type: 'listing' })])
  })
})

describe('the total of a common word', () => {
  it('is counted for each response below 1,000, and at most every 30 s above', async () => {
    await insertMany(harness, 12_000, { title: `'A lamp'`, category: `'home-decor'`, cents: 'n' })
    await harness.query('analyze listings, listing_words')
    const totals = async () => {
      const prices = ['110.04', '110.03', '40.01']
      const pages = prices.map((minPrice) => harness.browse({ search: 'lamp', sort: 'newest', minPrice }))
      return (await Promise.all(pages)).map(({ total }) => total)
    }
    expect(await totals()).toEqual(['997', '998', '8000'])
    await harness.createListing({ title: 'A lamp', priceCents: 20_000 })
    expect(await totals()).toEqual(['998', '999', '8000'])
    await harness.createListing({ title: 'A lamp', priceCents: 20_000 })
    expect(await totals()).toEqual(['999', '1000', '8000'])
    await harness.createListing({ title: 'A lamp', priceCents: 20_000 })
    expect(await totals()).toEqual(['1000', '1000', '8000'])
  })
})

describe('a common word and a common filter that rarely occur together', () => {
  beforeEach(async () => {
    // Half of the listings are lamps and half are watches; only the oldest three are both.
    await insertMany(harness, 50_000, {
      title: `case when n % 2 = 0 or n < 4 then 'A lamp' else 'A clock' end`,
      category: `case when n % 2 = 1 or n < 4 then 'watches' else 'home-decor' end`,
      cents: '100000 + n',
    })
    await harness.query('analyze listings, listing_words')
  })

  // Postgres expects a quarter of the listings to match. Fails without the second read in readWholeSegment.
  it('are found at any position of an order', async () => {
    const oldest = await harness.query('select id from listings order by created_at limit 3')
    const ids = oldest.map(({ id }) => id)
    const both = { search: 'lamp', category: 'watches' }
    expect(await harness.browse({ ...both })).toMatchObject({ ids: ids.toReversed(), total: '3' })
    expect(await harness.browse({ ...both, sort: 'newest' })).toMatchObject({ ids: ids.toReversed(), total: '3' })
    expect(await harness.browse({ ...both, sort: 'price-desc' })).toMatchObject({ ids: ids.toReversed(), total: '3' })
    expect(await harness.browse({ ...both, sort: 'ending-soon', limit: '2' })).toMatchObject({
      ids: ids.toReversed().slice(0, 2),
      total: '3',
    })
  })
})
