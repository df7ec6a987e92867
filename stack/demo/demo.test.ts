import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MarketplaceClient } from './client.ts'
import { startStack, type Stack } from '../launcher/stack.ts'
import { withoutPages } from '../launcher/topology.ts'
import { demoConversations } from './conversations.ts'
import { readListings } from './listings.ts'
import { findPhotographs } from './photographs.ts'
import { seedDemo } from './seed.ts'

// One worker processes the pictures of all listings.
const seedingTimeoutMs = 300_000
const listings = readListings()
const dataDir = mkdtempSync(join(tmpdir(), 'marketplace-demo-'))
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

describe('listings.txt', () => {
  it('contains enough listings, categories and auctions that end soon', () => {
    const active = listings.filter(({ soldTo }) => soldTo === undefined)
    const auctions = active.flatMap(({ auction }) => auction ?? [])
    expect(active.length).toBeGreaterThanOrEqual(58)
    expect(new Set(active.map(({ category }) => category)).size).toBeGreaterThanOrEqual(12)
    expect(auctions.length).toBeGreaterThanOrEqual(12)
    expect(new Set(auctions.map(({ endsInMs }) => endsInMs)).size).toBe(auctions.length)
    expect(auctions.filter(({ endsInMs }) => endsInMs <= 30 * 60_000).length).toBeGreaterThanOrEqual(3)
  })

  it('uses each photograph in exactly one listing', () => {
    const photographs = findPhotographs().map(({ name }) => name)
    expect(photographs).toHaveLength(61)
    expect(listings.map(({ photograph }) => photograph).toSorted()).toEqual(photographs.toSorted())
  })

  it('has a detail as second picture of 20 listings', () => {
    expect(listings.filter(({ detail }) => detail !== undefined)).toHaveLength(20)
  })

  it('has unique titles, and a listing for each conversation', () => {
    expect(new Set(listings.map(({ title }) => title)).size).toBe(listings.length)
    const unknown = demoConversations.filter(({ about }) => !listings.some(({ title }) => title.startsWith(about)))
    expect(unknown).toEqual([])
  })

  it('is parsed into auctions and fixed-price listings', () => {
    const [sale, auction] = readListings(
      'A lamp\nhome-decor | good | $39.50 + $8 | Lyon, France | bob | a-lamp-1 | was $50 | rows 20-75 | detail 10-20-60-80\nGreen.\n\nA watch\nwatches | new | auction $60 | Bern | carol | a-watch-2 | ends 7m | buy now $90 | bids 62 70.5\nSteel.',
    )
    expect(sale).toMatchObject({
      title: 'A lamp',
      price: 39.5,
      shipping: 8,
      originalPrice: 50,
      description: 'Green.',
      photograph: 'a-lamp-1',
      rows: { from: 0.2, to: 0.75 },
      detail: { left: 0.1, top: 0.2, right: 0.6, bottom: 0.8 },
      auction: undefined,
    })
    expect(auction?.rows).toEqual({ from: 0, to: 1 })
    expect(auction?.detail).toBeUndefined()
    expect(auction?.auction).toEqual({ startingBid: 60, buyNow: 90, endsInMs: 420_000, bids: [62, 70.5] })
  })
})

describe('the demo data of a stack', () => {
  let stack: Stack
  beforeAll(async () => {
    stack = await startStack({ port: 0, dataDir, durable: false, only: withoutPages })
  })
  afterAll(() => stack.stop())

  const titles = async (names: readonly string[]) => {
    const people = await Promise.all(names.map((name) => MarketplaceClient.signIn(stack.url, `${name}@example.com`)))
    const own = await Promise.all(people.map((person) => person.get<{ title: string }[]>('/api/users/me/listings')))
    return own
      .flat()
      .map(({ title }) => title)
      .toSorted()
  }

  it(
    'is completed after an interrupted start, and created once',
    async () => {
      const sellers = [...new Set(listings.map(({ seller }) => seller))]
      await seedDemo({
        url: stack.url,
        dataDir: mkdtempSync(join(dataDir, 'interrupted-')),
        listings: listings.slice(0, 30),
      })
      await seedDemo({ url: stack.url, dataDir })
      await seedDemo({ url: stack.url, dataDir: mkdtempSync(join(dataDir, 'again-')) })
      expect(await titles(sellers)).toEqual(listings.map(({ title }) => title).toSorted())
    },
    seedingTimeoutMs,
  )

  it('PHOTO-36 has uploaded pictures only, and details as second pictures', async () => {
    const visitor = new MarketplaceClient(stack.url)
    const active = listings.filter(({ soldTo }) => soldTo === undefined)
    const read = () => visitor.getAll<{ pictures: { base: string | null }[] }>('/api/listings?limit=100')
    await expect.poll(async () => (await read()).length).toBe(active.length)
    const listed = await read()
    expect(listed.flatMap(({ pictures }) => pictures).filter(({ base }) => base === null)).toEqual([])
    const withDetail = listed.filter(({ pictures }) => pictures.length === 2)
    expect(withDetail).toHaveLength(active.filter(({ detail }) => detail !== undefined).length)
  })

  it('lists an auction again when it has ended', async () => {
    const bob = await MarketplaceClient.signIn(stack.url, 'bob@example.com')
    const mine = () => bob.get<{ title: string; is_active: boolean }[]>('/api/users/me/listings')
    const short = async () => (await mine()).filter(({ title }) => title === 'Short').map(({ is_active }) => is_active)
    const listing = listings.find(({ auction }) => auction) ?? failing()
    const seed = (endsInMs: number) =>
      seedDemo({
        url: stack.url,
        dataDir: mkdtempSync(join(dataDir, 'short-')),
        listings: [
          {
            ...listing,
            title: 'Short',
            seller: 'bob',
            auction: { startingBid: 5, buyNow: undefined, bids: [], endsInMs },
          },
        ],
      })
    await seed(5_000)
    await expect.poll(short).toEqual([false])
    await seed(60_000)
    expect(await short()).toEqual([true, false])
  })

  it('SRCH-01 has trending terms, each with listings', async () => {
    const visitor = new MarketplaceClient(stack.url)
    const terms = await visitor.get<{ search_term: string }[]>('/api/search/trending')
    expect(terms.map(({ search_term }) => search_term).slice(0, 3)).toEqual(['camera', 'sneakers', 'sofa'])
    for (const { search_term } of terms) {
      const found = await visitor.get<unknown[]>(`/api/listings?search=${encodeURIComponent(search_term)}`)
      expect(found.length).toBeGreaterThan(0)
    }
  })

  it('has bids, purchases and conversations of three people', async () => {
    const [alice, bob, carol] = await Promise.all(
      ['alice', 'bob', 'carol'].map((name) => MarketplaceClient.signIn(stack.url, `${name}@example.com`)),
    )
    for (const person of [alice, bob, carol]) {
      const transactions = await person?.get<{ status: string }[]>('/api/transactions')
      expect(transactions?.length).toBeGreaterThanOrEqual(2)
      expect(transactions?.filter(({ status }) => status !== 'completed')).toEqual([])
      expect((await person?.get<unknown[]>('/api/conversations'))?.length).toBeGreaterThanOrEqual(3)
    }
    const rolleiflex = async () =>
      (await alice?.get<{ current_bid: number }[]>('/api/listings?search=rolleiflex'))?.[0]?.current_bid
    await expect.poll(rolleiflex).toBe(30_000)
  })
})

function failing(): never {
  throw new Error('There are no listings.')
}
