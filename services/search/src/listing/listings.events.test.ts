import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { auctionEndingIn, makeListing } from '../testing/listings.ts'
import { setStage, type Stage } from '../testing/stage.ts'

let stage: Stage

beforeAll(async () => {
  stage = await setStage()
})
beforeEach(async () => {
  await stage.rows('truncate listings, bids, listing_words, vocabulary')
})
afterAll(() => stage.close())

async function contents() {
  const listings = await stage.rows('select * from listings order by id')
  const words = await stage.rows('select * from listing_words order by listing_id')
  return { listings, words, bids: await stage.rows('select * from bids order by listing_id') }
}

function shuffled<Item>(items: readonly Item[]): Item[] {
  const places = items.map((item) => ({ item, place: Math.random() }))
  return places.toSorted((left, right) => left.place - right.place).map(({ item }) => item)
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
      () => stage.list(auction),
      () => stage.list(sold),
      () => stage.change({ ...sold, isActive: false, version: 2n }),
    ]
    for (const event of events) await event()
    const expected = await contents()
    expect(expected.listings).toHaveLength(2)
    expect(expected.words).toHaveLength(1)
    for (let round = 0; round < 30; round++) {
      await stage.rows('truncate listings, bids, listing_words')
      for (const event of shuffled([...events, ...events])) await event()
      expect(await contents()).toEqual(expected)
    }
  })

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
})
