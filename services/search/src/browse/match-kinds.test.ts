import { describe, expect, it } from 'vitest'
import { startWithEmptyIndex } from '../testing/empty-index.ts'
import type { Harness } from '../testing/harness.ts'
import { auctionEndingIn } from '../testing/listings.ts'

let harness: Harness

const bikes = { categoryId: 13, categoryName: 'Bikes', categorySlug: 'bikes' }
const shoes = { categoryId: 11, categoryName: 'Shoes', categorySlug: 'shoes' }
const jewelry = { categoryId: 6, categoryName: 'Jewelry', categorySlug: 'jewelry' }

startWithEmptyIndex((started) => {
  harness = started
})

/** Returns the found titles with the kind of their match, in order. */
async function search(query: Record<string, string>) {
  const { body } = await harness.browse({ fields: 'card', ...query })
  return body.map(({ title, match }) => [title, match])
}

describe('SRCH-13 synonyms and category names', () => {
  it.each([
    ['bike', 'related'],
    ['Bikes', 'related'],
    ['bicycle', 'title'],
    ['red bike', 'related'],
  ])('SRCH-13 find a bicycle by %s', async (words, kind) => {
    await harness.createListing({ title: 'A red bicycle' })
    await harness.createListing({ title: 'A red lamp' })
    await expect.poll(() => search({ search: words })).toEqual([['A red bicycle', kind]])
  })

  it('SRCH-13 find the listings of a category by its name', async () => {
    await harness.createListing({ title: 'A silver ring', ...jewelry })
    await expect.poll(() => search({ search: 'jewelry' })).toEqual([['A silver ring', 'related']])
    expect(await search({ search: 'silver jewelry' })).toEqual([['A silver ring', 'related']])
    expect(await search({ search: 'gold jewelry' })).toEqual([])
  })

  it('SRCH-13 find the completions of a word, and what they mean', async () => {
    for (const title of ['A bicycle', 'A bikepack', 'A bike']) await harness.createListing({ title })
    expect(await search({ search: 'bike', sort: 'newest' })).toEqual([
      ['A bike', 'title'],
      ['A bikepack', 'title'],
      ['A bicycle', 'related'],
    ])
  })

  it('SRCH-13 find shoes by sneaker, and not a snake plant', async () => {
    await harness.createListing({ title: 'A snake plant' })
    await harness.createListing({ title: 'Leather boots', ...shoes })
    expect(await search({ search: 'sneaker' })).toEqual([['Leather boots', 'related']])
  })

  it('SRCH-13 apply within the filters', async () => {
    await harness.createListing({ title: 'A bicycle', condition: 'new' })
    await harness.createListing({ title: 'A mountain bicycle', condition: 'good' })
    expect(await search({ search: 'bike', condition: 'new' })).toEqual([['A bicycle', 'related']])
  })
})

describe('SRCH-15 the kind of a match', () => {
  it('SRCH-15 orders titles before descriptions before related items, and is on every card', async () => {
    await harness.createListing({ title: 'Old bike' })
    await harness.createListing({ title: 'A bell', description: 'For a bike, any bike; a bike bell.' })
    await harness.createListing({ title: 'A bicycle' })
    await harness.createListing({ title: 'A helmet', ...bikes })
    await harness.createListing({ title: 'A lamp' })
    await expect
      .poll(() => search({ search: 'bike' }))
      .toEqual([
        ['Old bike', 'title'],
        ['A bell', 'description'],
        ['A helmet', 'related'],
        ['A bicycle', 'related'],
      ])
    expect((await search({})).map(([, kind]) => kind)).toEqual([null, null, null, null, null])
  })

  it('SRCH-13 the orders by age and price mix both kinds, and the total counts both', async () => {
    await harness.createListing({ title: 'A bike', priceCents: 3000 })
    await harness.createListing({ title: 'A bicycle', priceCents: 2000 })
    await harness.createListing({ title: 'Another bike', priceCents: 1000 })
    await harness.createListing({ title: 'An ended bicycle', ...auctionEndingIn(-60) })
    expect((await search({ search: 'bike', sort: 'price-asc' })).map(([title]) => title)).toEqual([
      'Another bike',
      'A bicycle',
      'A bike',
    ])
    expect((await harness.browse({ search: 'bike', limit: '1' })).total).toBe('3')
    expect((await harness.browse({ search: 'bike', sort: 'newest', limit: '1' })).total).toBe('3')
  })

  it('SRCH-13 pages continue from the words themselves to related items without gaps', async () => {
    for (let n = 0; n < 5; n += 1) await harness.createListing({ title: `Bike ${n}` })
    for (let n = 0; n < 5; n += 1) await harness.createListing({ title: `Bicycle ${n}` })
    const [whole = []] = await harness.pages({ search: 'bike', limit: '100' })
    expect(whole).toHaveLength(10)
    for (const limit of ['1', '3', '5', '7'])
      expect((await harness.pages({ search: 'bike', limit })).flat()).toEqual(whole)
  })

  it.each(['bike', 'pushbike', 'bicycle', 'blue bike'])(
    'SRCH-13 every page of %s has the total of both kinds',
    async (search) => {
      for (let n = 0; n < 5; n += 1) await harness.createListing({ title: `Blue bike ${n}` })
      for (let n = 0; n < 4; n += 1) await harness.createListing({ title: `Blue bicycle ${n}` })
      await harness.createListing({ title: 'An ended blue bike', ...auctionEndingIn(-60) })
      for (const sort of ['relevance', 'newest', 'price-asc']) {
        for (const limit of ['2', '3', '5', '9']) {
          const totals: unknown[] = []
          for (let next: Record<string, string> | string | undefined = { search, sort, limit }; next !== undefined;) {
            const { total, link } = await harness.browse(next)
            totals.push(total)
            next = /^<(.+)>; rel="next"$/.exec(String(link))?.[1]
          }
          expect([sort, limit, totals]).toEqual([sort, limit, totals.map(() => '9')])
        }
      }
    },
  )
})

describe('SRCH-14 corrections', () => {
  it.each([
    ['bycicle', 'bicycle'],
    ['Bycicle, blue', 'bicycle blue'],
    ['bicylce', 'bicycle'],
    ['bicycel blue', 'bicycle blue'],
    ['leathr', 'leather'],
    ['leahter', 'leather'],
  ])('SRCH-14 correct %s to %s and say so', async (typed, corrected) => {
    await harness.createListing({ title: 'Blue bicycle with leather seat' })
    const found = await harness.browse({ search: typed, fields: 'card' })
    expect([found.total, found.corrected, found.body[0]?.['match']]).toEqual(['1', corrected, 'fuzzy'])
  })

  it.each([
    ['lmap', 'a word of four letters'],
    ['lmps', 'a short word'],
    ['lintarm', 'three errors'],
    ['sneaker', 'a word that is two letters longer'],
    ['wh1000', 'a word with digits'],
    ['lantren trumpet', 'another word without a similar one'],
    ['lamp snake', 'known words that no listing has together'],
  ])('SRCH-14 correct nothing in %s (%s)', async (typed) => {
    await harness.createListing({ title: 'A lamp and a lantern xyz' })
    await harness.createListing({ title: 'A snake plant wh1001' })
    const { ids, corrected, total } = await harness.browse({ search: typed })
    expect([ids, corrected, total]).toEqual([[], null, '0'])
  })

  it('SRCH-14 use only words of active listings', async () => {
    const sold = { title: 'A lintern', isActive: true }
    const id = await harness.createListing(sold)
    await harness.createListing({ title: 'A lantern' })
    await harness.query('delete from listing_words where listing_id = $1', [id])
    await harness.query(`delete from lexemes where lexeme = 'lintern'`)
    expect((await harness.browse({ search: 'lontern' })).corrected).toBe('lantern')
  })

  it('SRCH-14 name the correction on every page', async () => {
    for (let n = 0; n < 3; n += 1) await harness.createListing({ title: `Lantern ${n}` })
    const first = await harness.browse({ search: 'lantren', limit: '2' })
    const second = await harness.browse(/^<(.+)>; rel="next"$/.exec(String(first.link))?.[1] ?? '')
    expect([first.corrected, second.corrected, second.ids.length]).toEqual(['lantern', 'lantern', 1])
  })

  it('SRCH-14 encode the header', async () => {
    await harness.createListing({ title: 'Ein Spätzlehobel' })
    expect((await harness.browse({ search: 'spätzlehobl' })).corrected).toBe('spätzlehobel')
    expect((await harness.browse({ search: 'spätzlehobel' })).corrected).toBeNull()
  })
})
