import { describe, expect, it } from 'vitest'
import { startWithEmptyIndex } from '../testing/empty-index.ts'
import type { Harness } from '../testing/harness.ts'
import { watches } from '../testing/listings.ts'

let harness: Harness

const shoes = { categoryId: 11, categoryName: 'Shoes', categorySlug: 'shoes' }

startWithEmptyIndex((started) => {
  harness = started
})

async function recover(query: Record<string, string>) {
  const response = await harness.request('GET', `/api/search/recovery?${new URLSearchParams(query)}`)
  const { steps, listings } = response.json()
  return { steps, titles: listings.map(({ title }: { title: string }) => title) }
}

describe('GET /api/search/recovery', () => {
  it('SRCH-20 drops each filter that hides listings', async () => {
    await harness.createListing({ title: 'A lamp', condition: 'good', priceCents: 5000 })
    await harness.createListing({ title: 'Another lamp', condition: 'fair', priceCents: 1000 })
    expect(await recover({ search: 'lamp', condition: 'new' })).toEqual({
      steps: [{ kind: 'filter', name: 'condition', value: 'new', total: '2' }],
      titles: ['A lamp', 'Another lamp'],
    })
    expect((await recover({ condition: 'fair', minPrice: '40', maxPrice: '60' })).steps).toEqual([
      { kind: 'filter', name: 'price', value: '', total: '1' },
      { kind: 'filter', name: 'condition', value: 'fair', total: '1' },
    ])
    expect((await recover({ search: 'lamp', location: 'Portland' })).steps).toEqual([
      { kind: 'filter', name: 'location', value: 'Portland', total: '2' },
    ])
  })

  it('SRCH-20 drops the rarest word', async () => {
    await harness.createListing({ title: 'A road bike' })
    await harness.createListing({ title: 'A carbon fork' })
    await harness.createListing({ title: 'A carbon frame' })
    const { steps } = await recover({ search: 'road qwertz bike' })
    expect(steps).toEqual([{ kind: 'word', name: 'road bike', value: 'qwertz', total: '1' }])
    const decomposed = await recover({ search: 'road cafe\u0301zz bike' })
    expect(decomposed.steps).toEqual([{ kind: 'word', name: 'road bike', value: 'caf\u00E9zz', total: '1' }])
    expect((await recover({ search: 'qwertz' })).steps).toEqual([])
  })

  it('SRCH-20 names the category of the words, without the filters', async () => {
    await harness.createListing({ title: 'Leather boots', ...shoes })
    await expect
      .poll(async () => (await recover({ search: 'sneaker purple', condition: 'new' })).steps)
      .toEqual([{ kind: 'category', name: 'Shoes', value: 'shoes', total: '1' }])
    expect((await recover({ search: 'sneaker purple', condition: 'new' })).titles).toEqual(['Leather boots'])
    expect((await recover({ search: 'zzzz', condition: 'new' })).steps).toEqual([])
  })

  it('SRCH-20 makes at most 4 searches and returns at most 12 listings', async () => {
    for (let n = 0; n < 15; n += 1) await harness.createListing({ title: `Boots ${n}`, ...shoes })
    const all = {
      minPrice: '1', condition: 'good', format: 'fixed', freeShipping: 'true', location: 'x', category: 'shoes',
    } // oxfmt-ignore
    const { steps, titles } = await recover({ search: 'sneaker boots', ...all, location: 'nowhere' })
    expect(steps.length).toBeLessThanOrEqual(4)
    expect(titles).toHaveLength(12)
    expect((await recover(all)).steps).toEqual([{ kind: 'filter', name: 'location', value: 'x', total: '15' }].slice(1))
  })

  it('SRCH-20 leaves out what finds nothing either', async () => {
    await harness.createListing({ title: 'A clock', ...watches })
    expect(await recover({ search: 'lamp', category: 'watches' })).toEqual({ steps: [], titles: [] })
  })

  it.each(['condition=mint', 'search[]=a', 'minPrice=x'])('SRCH-20 is 400 for ?%s', async (query) => {
    expect((await harness.request('GET', `/api/search/recovery?${query}`)).statusCode).toBe(400)
  })
})
