import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { auctionEndingIn, makeListing } from '../testing/listings.ts'
import { shuffled } from '../testing/shuffled.ts'
import { setStage, type Stage } from '../testing/stage.ts'

let stage: Stage

beforeAll(async () => {
  stage = await setStage()
})
beforeEach(async () => {
  await stage.rows('truncate listings, bids, views, listing_words, vocabulary')
})
afterAll(() => stage.close())

async function contents() {
  // Without the time of each row.
  const read = (table: string, id: string) =>
    stage.rows(`select to_jsonb(t) - 'told_at' as row from ${table} as t order by ${id}`)
  return {
    listings: await read('listings', 'id'),
    words: await read('listing_words', 'listing_id'),
    bids: await read('bids', 'listing_id'),
    views: await read('views', 'listing_id'),
  }
}

describe('the index', () => {
  it('is the same whatever the order of the events, each of them told twice', async () => {
    const auction = makeListing(auctionEndingIn(600))
    const sold = makeListing()
    const events = [
      () => stage.change({ ...auction, title: 'A brass clock', version: 2n }),
      () => stage.change({ ...auction, title: 'A brass clock', version: 3n, viewCount: 5 }),
      () => stage.bid(auction.id, 3000, 2),
      () => stage.bid(auction.id, 4000, 3),
      () => stage.bid(auction.id, 5000, 4),
      () => stage.view(auction.id, 7),
      () => stage.view(auction.id, 8),
      () => stage.change({ ...auction, title: 'A brass clock', version: 4n, viewCount: 4 }),
      () => stage.view(sold.id, 3),
      () => stage.list(auction),
      () => stage.list(sold),
      () => stage.change({ ...sold, isActive: false, version: 2n }),
    ]
    for (const event of events) await event()
    const expected = await contents()
    expect(expected.listings).toHaveLength(2)
    expect(expected.words).toHaveLength(1)
    for (let round = 0; round < 30; round++) {
      await stage.rows('truncate listings, bids, views, listing_words')
      for (const event of shuffled([...events, ...events])) await event()
      expect(await contents()).toEqual(expected)
    }
  })

  it.each(['in order', 'out of order'])(
    'keeps the greater number of views when versions tell them %s',
    async (order) => {
      const listing = makeListing()
      await stage.list(listing)
      const versions = [
        { ...listing, version: 2n, viewCount: 9 },
        { ...listing, version: 3n, viewCount: 7, title: 'A teapot' },
      ]
      for (const version of order === 'in order' ? versions : versions.toReversed()) await stage.change(version)
      expect((await stage.browse()).body).toMatchObject([{ title: 'A teapot', view_count: 9 }])
    },
  )

  it('shows every listing’s bid when listings and bids come at once', async () => {
    const auctions = Array.from({ length: 60 }, () => makeListing(auctionEndingIn(600)))
    await Promise.all(auctions.flatMap((auction) => [stage.list(auction), stage.bid(auction.id, 7700)]))
    const { body } = await stage.browse({ limit: '100' })
    expect(body.map(({ current_bid }) => current_bid)).toEqual(Array(60).fill(7700))
  })

  it('finds a listing no more once it is inactive, and by its new title once it has one', async () => {
    const listing = makeListing()
    await stage.list(listing)
    await stage.change({ ...listing, title: 'A teapot', version: 2n })
    expect((await stage.browse({ search: 'lamp' })).ids).toEqual([])
    expect((await stage.browse({ search: 'teapot' })).ids).toEqual([listing.id])
    await stage.change({ ...listing, title: 'A teapot', isActive: false, version: 3n })
    expect((await stage.browse({ search: 'teapot' })).ids).toEqual([])
    expect((await stage.browse()).ids).toEqual([])
  })

  it('shows views, also those that come before their listing, and moves nothing by them', async () => {
    const popular = makeListing({ viewCount: 2 })
    const other = makeListing()
    await stage.view(popular.id, 40)
    await stage.list(popular)
    await stage.list(other)
    const shown = async (query: Record<string, string> = {}) =>
      (await stage.browse(query)).body.map(({ id, view_count }) => [id, view_count])
    expect(await shown()).toEqual([
      [other.id, 0],
      [popular.id, 40],
    ])
    await stage.view(popular.id, 39)
    await stage.view(other.id, 1)
    const expected = [
      [other.id, 1],
      [popular.id, 40],
    ]
    expect(await shown()).toEqual(expected)
    expect(await shown({ search: 'lamp' })).toEqual(expected)
    await stage.change({ ...popular, viewCount: 41, version: 2n })
    expect(await shown({ sort: 'price-desc' })).toEqual([expected[0], [popular.id, 41]])
  })
})
