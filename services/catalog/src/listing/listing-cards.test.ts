import { ListingCardView } from '@marketplace/contracts/listing-card.ts'
import { randomUser, type TestUser } from '@marketplace/testing/keys.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createHarness, type Harness } from '../testing/harness.ts'
import { hugeTexts, insertListings, readIds, readPages, type ListedRow } from '../testing/lists.ts'

let harness: Harness
let alice: TestUser

beforeAll(async () => {
  harness = await createHarness()
  alice = randomUser()
  const imageUrls = `json_build_array('https://a.example/' || n, 'https://b.example/' || n)::text`
  await insertListings(harness, alice.userId, 30, { imageUrls })
  await watchAll(alice, await insertListings(harness, harness.seller.userId, 30, { imageUrls }))
})
afterAll(() => harness.close())

const watchAll = (as: TestUser, ids: readonly string[]) =>
  harness.rows('insert into watchlist (user_id, listing_id) select $1, unnest($2::uuid[])', [as.userId, ids])

describe.each(['/api/users/me/listings', '/api/watchlist'])('GET %s', (list) => {
  it('returns cards with fields=card, in the same order as without', async () => {
    const { body } = await harness.get<ListedRow[]>(`${list}?fields=card`, alice)
    expect(body).toHaveLength(30)
    for (const card of body) expect(Object.keys(card).toSorted()).toEqual(Object.keys(ListingCardView.shape).toSorted())
    expect(body[0]).toMatchObject({ picture_count: 2 })
    expect(String(body[0]?.['picture'])).toMatch(/^https:\/\/a\.example/)
    expect(await readIds(harness, alice, `${list}?fields=card&limit=7`)).toEqual(await readIds(harness, alice, list))
  })

  it('R20 returns every card once over its pages, however long the image URLs are', async () => {
    const bob = randomUser()
    const ids = await insertListings(harness, bob.userId, 60, { imageUrls: hugeTexts.imageUrls })
    await watchAll(bob, ids)
    const pages = await readPages(harness, bob, `${list}?fields=card`)
    expect(pages.flatMap(({ body }) => body.map(({ id }) => id)).toSorted()).toEqual(ids.toSorted())
    // The pages end early because of the URLs that the cards do not contain.
    expect(pages[0]?.body.length).toBeLessThan(50)
  })

  it('returns whole listings without fields, and 400 for other fields', async () => {
    const { body } = await harness.get<ListedRow[]>(list, alice)
    expect(body[0]).toMatchObject({ category_id: 7, accept_offers: true })
    expect(body[0]?.['image_urls_parsed']).toHaveLength(2)
    expect(body[0]).not.toHaveProperty('picture')
    const rejected = await harness.get(`${list}?fields=title`, alice)
    expect([rejected.status, rejected.body['details']]).toMatchObject([400, [{ path: 'fields' }]])
  })

  it('is compressed from 1 kB on, and only if the client accepts it', async () => {
    const encodingOf = async (query: string, accepted: string) => {
      const headers = { 'accept-encoding': accepted }
      return (await harness.call('GET', `${list}${query}`, { as: alice, headers })).headers['content-encoding']
    }
    expect(await encodingOf('', 'br')).toBe('br')
    expect(await encodingOf('', 'gzip')).toBe('gzip')
    expect(await encodingOf('', 'identity')).toBeUndefined()
    expect(await encodingOf('?limit=1&fields=card', 'br')).toBeUndefined()
  })
})
