import { ListingCardView } from '@marketplace/contracts/listing-card.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createHarness, type Harness } from '../testing/harness.ts'

let harness: Harness

beforeAll(async () => {
  harness = await createHarness()
  for (let index = 0; index < 30; index += 1) {
    await harness.createListing({
      description: 'It has stood in a dry attic for thirty years and works. '.repeat(10),
      imageUrls: [1, 2, 3].map((place) => `https://pictures.example/listings/2026/${index}/${place}.webp?width=1600`),
    })
  }
  await harness.createListing({ title: 'A lamp without a picture' })
})
afterAll(() => harness.close())

const read = (query: string) => harness.browse(`/api/listings?${query}`)

describe('GET /api/listings with fields=card', () => {
  it('returns what a card shows, with one picture and the number of pictures', async () => {
    const { body } = await read('fields=card')
    expect(body).toHaveLength(24)
    for (const card of body) expect(Object.keys(card).toSorted()).toEqual(Object.keys(ListingCardView.shape).toSorted())
    expect(body[0]).toMatchObject({ title: 'A lamp without a picture', picture: null, picture_count: 0 })
    expect(body[1]).toMatchObject({
      picture: 'https://pictures.example/listings/2026/29/1.webp?width=1600',
      picture_count: 3,
    })
  })

  it('returns the same listings in the same order as without, on every page and in searches', async () => {
    const queries: Record<string, string>[] = [{}, { search: 'lamp' }, { sort: 'price-asc' }]
    for (const query of queries) {
      const whole = await harness.pages({ ...query, limit: '7' })
      expect(await harness.pages({ ...query, limit: '7', fields: 'card' })).toEqual(whole)
    }
  })

  it('has 24 cards in at most 27 kB', async () => {
    const { body } = await harness.request('GET', '/api/listings?fields=card')
    expect(Buffer.byteLength(body)).toBeLessThanOrEqual(27_000)
  })

  it.each(['title', 'card,title', 'Card'])('gets 400 for fields=%s', async (fields) => {
    const { status, body } = await read(`fields=${fields}`)
    expect([status, body.details]).toMatchObject([400, [{ path: 'fields' }]])
  })

  it.each(['', 'fields='])('returns whole listings with "%s"', async (query) => {
    const { body } = await read(query)
    expect(body[1]).toMatchObject({ category_id: 7, accept_offers: true })
    expect(body[1]?.['image_urls_parsed']).toHaveLength(3)
    expect(body[1]).not.toHaveProperty('picture')
  })
})
