import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { Code, ConnectError } from '@connectrpc/connect'
import {
  AuctionClosedSchema,
  AuctionOutcome,
  BidPlacedSchema,
} from '@marketplace/contracts/gen/marketplace/auction/v1/auction_pb.ts'
import { newId } from '@marketplace/kit/values/ids.ts'
import { eventually } from '@marketplace/testing/eventually.ts'
import { randomUser } from '@marketplace/testing/keys.ts'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createHarness, daysFromNow, watch, type ApiResponse, type Harness } from '../testing/harness.ts'
import { startInstance } from '../testing/instances.ts'

let harness: Harness

beforeAll(async () => {
  harness = await createHarness()
})
afterEach(() => {
  harness.auctions.before.get = async () => undefined
})
afterAll(() => harness.close())

const read = (id: string) => harness.get(`/api/listings/${id}`)

function applyBid(listingId: string, amountCents: number, bidCount = 1) {
  return harness.applyEvent(BidPlacedSchema, { listingId, amountCents, bidCount, number: BigInt(bidCount + 1) })
}

function applyClosing(listingId: string) {
  return harness.applyEvent(AuctionClosedSchema, {
    listingId,
    outcome: AuctionOutcome.NO_SALE,
    closedAt: timestampFromDate(new Date()),
  })
}

describe('GET /api/categories', () => {
  it('CAT-01 returns every category with all its fields, without a session', async () => {
    const { status, body } = await harness.get<Record<string, unknown>[]>('/api/categories')
    expect(status).toBe(200)
    expect(body.length).toBeGreaterThanOrEqual(14)
    expect(new Set(body.map(({ slug }) => slug)).size).toBe(body.length)
    for (const category of body) {
      expect(category).toEqual({
        id: expect.any(Number),
        name: expect.any(String),
        slug: expect.stringMatching(/^[a-z-]+$/),
        description: expect.stringMatching(/.{10}/),
        created_at: expect.stringMatching(/Z$/),
        updated_at: expect.stringMatching(/Z$/),
      })
    }
  })
})

describe('GET /api/listings/{id}', () => {
  it('LIST-19 returns every field as created, without a session', async () => {
    const created = await harness.postListing({
      title: 'A clock',
      description: 'It ticks.',
      price: 10,
      category_id: 7,
      image_urls: ['https://pictures.example/clock.jpg'],
    })
    const { status, headers, body } = await read(String(created.body['id']))
    expect([status, body]).toEqual([200, created.body])
    expect(Object.keys(body)).toHaveLength(34)
    expect(headers['x-stale']).toBeUndefined()
  })

  it.each([
    '1',
    'x',
    '__proto__',
    newId(),
    newId().toUpperCase(),
    '0b1c6a60-6b1e-4c6e-8f3b-3a8f3f1e2d4c',
    '%00',
    'a'.repeat(150),
  ])('LIST-19 gets 404 for %s', async (id) => {
    const { status, body } = await read(id)
    expect([status, body['code']]).toEqual([404, 'not_found'])
  })

  it('has no seller name when the users service does not know the seller', async () => {
    const { body } = await harness.postListing({ title: 'A fork', price: 1, category_id: 9 }, randomUser('Nobody'))
    expect((await read(String(body['id']))).body['seller_name']).toBeNull()
  })
})

describe('GET /api/listings/{id} of an auction', () => {
  it('LIST-21 returns a bid as soon as the auction service has accepted it', async () => {
    const id = await harness.createAuction({ buy_it_now_price: 150 })
    harness.auctions.bid(id, 12_050)
    expect((await read(id)).body).toMatchObject({ current_bid: 12_050, bid_count: 1, buy_it_now_price: 15_000 })
    harness.auctions.bid(id, 15_000)
    expect((await read(id)).body).toMatchObject({ current_bid: 15_000, bid_count: 2, buy_it_now_price: null })
  })

  it.each([
    ['is down', 60_000, async () => Promise.reject(new ConnectError('down', Code.Unavailable))],
    ['exceeds its deadline', 100, () => new Promise<void>(() => {})],
  ])(
    'returns the latest stored bid, marked as stale, when the auction service %s',
    async (_name, timeoutMs, before) => {
      const { service, publicUrl: url } = await startInstance({ ...harness.settings, AUCTIONS_TIMEOUT_MS: timeoutMs })
      const id = await harness.createAuction()
      await applyBid(id, 11_000)
      harness.auctions.bid(id, 99_000)
      harness.auctions.before.get = before
      const { status, headers, body } = await harness.call('GET', `/api/listings/${id}`, { at: { publicUrl: url } })
      expect([status, headers['x-stale'], body['current_bid'], body['bid_count'], body['is_active']]).toEqual([
        200,
        'bids',
        11_000,
        1,
        true,
      ])
      await service.stop()
    },
  )

  it('is inactive once the auction service reports it as ended', async () => {
    const id = await harness.createAuction()
    const auction = harness.auctions.known.get(id)
    if (auction) auction.isOpen = false
    expect((await read(id)).body['is_active']).toBe(false)
  })

  it('is inactive after its end date by the clock when the auction service does not return it', async () => {
    const id = await harness.createAuction()
    await harness.rows(`update listings set auction_end_at = clock_timestamp() - interval '1 ms' where id = $1`, [id])
    harness.auctions.known.delete(id)
    const { headers, body } = await read(id)
    expect([headers['x-stale'], body['is_active']]).toEqual(['bids', false])
  })

  it('does not call the auction service after the auction was closed', async () => {
    const id = await harness.createAuction()
    await applyBid(id, 11_000)
    await applyClosing(id)
    harness.auctions.calls.length = 0
    const { headers, body } = await read(id)
    expect([headers['x-stale'], body['is_active'], body['current_bid']]).toEqual([undefined, false, 11_000])
    expect(harness.auctions.calls).toEqual([])
  })
})

describe('concurrent reads of an auction', () => {
  // The test counts all calls of the auction service and of the users service.
  let own: Harness

  beforeAll(async () => {
    own = await createHarness()
  })
  afterAll(() => own.close())

  it('LIST-21 share the next call, never one that began before the bid, and one call is in progress at a time', async () => {
    const { auctions, users } = own
    // The name of an unknown seller is not cached, so each read that has reached its calls also calls the users service.
    const { body } = await own.postListing(watch(), randomUser('Nobody'))
    const id = String(body['id'])
    const readAuction = () => own.get(`/api/listings/${id}`)
    let inProgress = 0
    let maxInProgress = 0
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    auctions.before.get = async () => {
      inProgress += 1
      maxInProgress = Math.max(maxInProgress, inProgress)
      if (auctions.calls.length === 1) await released
      inProgress -= 1
    }
    const early = readAuction()
    await eventually(() => auctions.calls.length === 1)
    auctions.bid(id, 20_000)
    const late = Array.from({ length: 50 }, readAuction)
    await eventually(() => users.calls.length === 51)
    release()
    expect((await early).body['current_bid']).toBeNull()
    expect((await Promise.all(late)).map((response) => response.body['current_bid'])).toEqual(Array(50).fill(20_000))
    expect(auctions.calls).toEqual([[id], [id]])
    expect(maxInProgress).toBe(1)
  })
})

describe('GET /api/users/me/listings', () => {
  const mine = (as: ReturnType<typeof randomUser>): Promise<ApiResponse<Record<string, unknown>[]>> =>
    harness.get('/api/users/me/listings', as)

  it('MINE-04 returns the caller’s listings, active and inactive, newest first, with the stored bids', async () => {
    const alice = randomUser()
    const make = async (body: unknown) => String((await harness.postListing(body, alice)).body['id'])
    const first = await make({ title: 'One', price: 1, category_id: 1 })
    const second = await make({
      title: 'Two',
      starting_bid: 1,
      is_auction: true,
      auction_end_date: daysFromNow(1),
      category_id: 1,
    })
    const third = await make({ title: 'Three', price: 1, category_id: 1 })
    await harness.postListing({ title: 'Another’s', price: 1, category_id: 1 }, randomUser())
    await applyBid(second, 700)
    await applyClosing(second)
    const { status, body } = await mine(alice)
    expect(status).toBe(200)
    expect(body.map(({ id, is_active, current_bid }) => [id, is_active, current_bid])).toEqual([
      [third, true, null],
      [second, false, 700],
      [first, true, null],
    ])
    expect(Object.keys(body[0] ?? {})).toHaveLength(31)
  })

  it('B8 MINE-04 returns no listings of another user, whatever the query', async () => {
    await harness.createListing()
    const { userId } = harness.seller
    const { body } = await harness.get<unknown[]>(
      `/api/users/me/listings?user_id=${userId}&seller_id=${userId}`,
      randomUser(),
    )
    expect(body).toEqual([])
    expect((await harness.get(`/api/users/${userId}/listings`, randomUser())).status).toBe(404)
  })

  it('MINE-04 is empty for a new user and gets 401 without a session', async () => {
    expect((await mine(randomUser())).body).toEqual([])
    expect((await harness.get('/api/users/me/listings')).status).toBe(401)
  })
})

describe('GetListings', () => {
  it('returns the listings of the known ids', async () => {
    const [one, two] = [await harness.createListing(), await harness.createListing()]
    const { listings } = await harness.catalog.getListings({ ids: [one, two, newId(), 'x'] })
    expect(listings.map(({ id }) => id).toSorted()).toEqual([one, two].toSorted())
    expect(listings[0]).toMatchObject({ version: 1n, priceCents: 2499, categorySlug: 'home-decor', isActive: true })
  })

  it('returns pages of all listings ordered by id', async () => {
    const ids: string[] = []
    for (let afterId = ''; ;) {
      const { listings } = await harness.catalog.getListings({ afterId, pageSize: 3 })
      const last = listings.at(-1)
      if (!last) break
      ids.push(...listings.map(({ id }) => id))
      afterId = last.id
    }
    const all = await harness.rows('select id from listings order by id')
    expect(ids).toEqual(all.map(({ id }) => id))
  })

  it('rejects more than 100 ids', async () => {
    await expect(harness.catalog.getListings({ ids: Array.from({ length: 101 }, newId) })).rejects.toThrow(/100/)
  })
})
