import { describe, expect, it } from 'vitest'
import { auctionEndingIn, makeListing } from '../testing/listings.ts'
import { shuffled } from '../testing/shuffled.ts'
import { startWithEmptyIndex } from '../testing/empty-index.ts'
import type { Harness } from '../testing/harness.ts'

let harness: Harness

startWithEmptyIndex((started) => {
  harness = started
})

async function contents() {
  // The times of the writes differ from run to run.
  const read = (table: string, id: string) =>
    harness.query(`select to_jsonb(t) - array['told_at', 'synced_at'] as row from ${table} as t order by ${id}`)
  return {
    listings: await read('listings', 'id'),
    words: await read('listing_words', 'listing_id'),
    bids: await read('bids', 'listing_id'),
    views: await read('views', 'listing_id'),
  }
}

describe('the index', () => {
  it('converges for every order of events that are each delivered twice', async () => {
    const auction = makeListing(auctionEndingIn(600))
    const sold = makeListing()
    const events = [
      () => harness.changeListing({ ...auction, title: 'A brass clock', version: 2n }),
      () => harness.changeListing({ ...auction, title: 'A brass clock', version: 3n, viewCount: 5 }),
      () => harness.placeBid(auction.id, 3000, 2),
      () => harness.placeBid(auction.id, 4000, 3),
      () => harness.placeBid(auction.id, 5000, 4),
      () => harness.setViewCount(auction.id, 7),
      () => harness.setViewCount(auction.id, 8),
      () => harness.changeListing({ ...auction, title: 'A brass clock', version: 4n, viewCount: 4 }),
      () => harness.setViewCount(sold.id, 3),
      () => harness.createListing(auction),
      () => harness.createListing(sold),
      () => harness.changeListing({ ...sold, isActive: false, version: 2n }),
    ]
    for (const event of events) await event()
    const expected = await contents()
    expect(expected.listings).toHaveLength(2)
    expect(expected.words).toHaveLength(1)
    for (let round = 0; round < 30; round++) {
      await harness.query('truncate listings, bids, views, listing_words')
      for (const event of shuffled([...events, ...events])) await event()
      expect(await contents()).toEqual(expected)
    }
  })

  it.each(['in order', 'out of order'])('keeps the larger view count when versions arrive %s', async (order) => {
    const listing = makeListing()
    await harness.createListing(listing)
    const versions = [
      { ...listing, version: 2n, viewCount: 9 },
      { ...listing, version: 3n, viewCount: 7, title: 'A teapot' },
    ]
    for (const version of order === 'in order' ? versions : versions.toReversed()) await harness.changeListing(version)
    expect((await harness.browse()).body).toMatchObject([{ title: 'A teapot', view_count: 9 }])
  })

  it('shows every listing’s bid when listings and bids arrive concurrently', async () => {
    const auctions = Array.from({ length: 60 }, () => makeListing(auctionEndingIn(600)))
    await Promise.all(
      auctions.flatMap((auction) => [harness.createListing(auction), harness.placeBid(auction.id, 7700)]),
    )
    const { body } = await harness.browse({ limit: '100' })
    expect(body.map(({ current_bid }) => current_bid)).toEqual(Array(60).fill(7700))
  })

  it('finds a changed listing only by its new title, and not at all once it is inactive', async () => {
    const listing = makeListing()
    await harness.createListing(listing)
    await harness.changeListing({ ...listing, title: 'A teapot', version: 2n })
    expect((await harness.browse({ search: 'lamp' })).ids).toEqual([])
    expect((await harness.browse({ search: 'teapot' })).ids).toEqual([listing.id])
    await harness.changeListing({ ...listing, title: 'A teapot', isActive: false, version: 3n })
    expect((await harness.browse({ search: 'teapot' })).ids).toEqual([])
    expect((await harness.browse()).ids).toEqual([])
  })

  it('shows views, even if they arrive before their listing, without changing the order', async () => {
    const popular = makeListing({ viewCount: 2 })
    const other = makeListing()
    await harness.setViewCount(popular.id, 40)
    await harness.createListing(popular)
    await harness.createListing(other)
    const viewCounts = async (query: Record<string, string> = {}) =>
      (await harness.browse(query)).body.map(({ id, view_count }) => [id, view_count])
    expect(await viewCounts()).toEqual([
      [other.id, 0],
      [popular.id, 40],
    ])
    await harness.setViewCount(popular.id, 39)
    await harness.setViewCount(other.id, 1)
    const expected = [
      [other.id, 1],
      [popular.id, 40],
    ]
    expect(await viewCounts()).toEqual(expected)
    expect(await viewCounts({ search: 'lamp' })).toEqual(expected)
    await harness.changeListing({ ...popular, viewCount: 41, version: 2n })
    expect(await viewCounts({ sort: 'price-desc' })).toEqual([expected[0], [popular.id, 41]])
  })
})
