import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { Code, ConnectError } from '@connectrpc/connect'
import {
  AuctionClosedSchema,
  AuctionOutcome,
  BidPlacedSchema,
} from '@marketplace/contracts/gen/marketplace/auction/v1/auction_pb.ts'
import { newId } from '@marketplace/kit/ids.ts'
import { eventually } from '@marketplace/testing/eventually.ts'
import { someone } from '@marketplace/testing/keys.ts'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { inDays, setStage, type Answer, type Stage } from '../testing/stage.ts'

let stage: Stage

beforeAll(async () => {
  stage = await setStage()
})
afterEach(() => {
  stage.auctions.before.get = async () => undefined
})
afterAll(() => stage.close())

const read = (id: string) => stage.get(`/api/listings/${id}`)

function projectBid(listingId: string, amountCents: number, bidCount = 1) {
  return stage.deliver(BidPlacedSchema, { listingId, amountCents, bidCount, number: BigInt(bidCount + 1) })
}

function close(listingId: string) {
  return stage.deliver(AuctionClosedSchema, {
    listingId,
    outcome: AuctionOutcome.NO_SALE,
    closedAt: timestampFromDate(new Date()),
  })
}

describe('GET /api/categories', () => {
  it('CAT-01 answers every category with all its fields, signed out', async () => {
    const { status, body } = await stage.get<Record<string, unknown>[]>('/api/categories')
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
  it('LIST-19 answers every field, signed out, as it was created', async () => {
    const created = await stage.post({
      title: 'A clock',
      description: 'It ticks.',
      price: 10,
      category_id: 7,
      image_urls: ['https://pictures.example/clock.jpg'],
    })
    const { status, headers, body } = await read(String(created.body['id']))
    expect([status, body]).toEqual([200, created.body])
    expect(Object.keys(body)).toHaveLength(26)
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
  ])('LIST-19 is 404 for %s', async (id) => {
    const { status, body } = await read(id)
    expect([status, body['code']]).toEqual([404, 'not_found'])
  })

  it('has no name for a seller whom the users service does not know', async () => {
    const { body } = await stage.post({ title: 'A fork', price: 1, category_id: 9 }, someone('Nobody'))
    expect((await read(String(body['id']))).body['seller_name']).toBeNull()
  })
})

describe('GET /api/listings/{id} of an auction', () => {
  it('LIST-21 shows a bid at once that the auction service has taken', async () => {
    const id = await stage.auction({ buy_it_now_price: 150 })
    stage.auctions.bid(id, 12_050)
    expect((await read(id)).body).toMatchObject({ current_bid: 12_050, bid_count: 1, buy_it_now_price: 15_000 })
    stage.auctions.bid(id, 15_000)
    expect((await read(id)).body).toMatchObject({ current_bid: 15_000, bid_count: 2, buy_it_now_price: null })
  })

  it('LIST-21 never takes the answer of a call that began before the bid, and makes one call at a time', async () => {
    const id = await stage.auction()
    const calls = stage.auctions.calls
    calls.length = 0
    let isUnderWay = 0
    let letGo = () => undefined as void
    const held = new Promise<void>((done) => (letGo = done))
    stage.auctions.before.get = async () => {
      isUnderWay += 1
      expect(isUnderWay).toBe(1)
      if (calls.length === 1) await held
      isUnderWay -= 1
    }
    const early = read(id)
    await eventually(() => calls.length === 1)
    stage.auctions.bid(id, 20_000)
    const late = Array.from({ length: 50 }, () => read(id))
    // Most have read their rows by then and wait for the next call.
    await new Promise((done) => setTimeout(done, 200))
    letGo()
    expect((await early).body['current_bid']).toBeNull()
    const answers = await Promise.all(late)
    expect(answers.map(({ body }) => body['current_bid'])).toEqual(Array(50).fill(20_000))
    // Two, but for readers whose row came late on a busy machine; 51 if none shared.
    expect(calls.length).toBeLessThan(10)
  })

  it.each([
    ['is down', async () => Promise.reject(new ConnectError('down', Code.Unavailable))],
    ['does not answer in time', () => new Promise<void>((done) => setTimeout(done, 1500))],
  ])('shows the newest known bid, marked as stale, when the auction service %s', async (_name, before) => {
    const id = await stage.auction()
    await projectBid(id, 11_000)
    stage.auctions.bid(id, 99_000)
    stage.auctions.before.get = before
    const { status, headers, body } = await read(id)
    expect([status, headers['x-stale'], body['current_bid'], body['bid_count'], body['is_active']]).toEqual([
      200,
      'bids',
      11_000,
      1,
      true,
    ])
  })

  it('is inactive once the auction service says that it is over', async () => {
    const id = await stage.auction()
    const auction = stage.auctions.known.get(id)
    if (auction) auction.isOpen = false
    expect((await read(id)).body['is_active']).toBe(false)
  })

  it('is inactive from its end on, by the clock, while nobody says so', async () => {
    const id = await stage.auction()
    await stage.rows(`update listings set auction_end_at = clock_timestamp() - interval '1 ms' where id = $1`, [id])
    stage.auctions.known.delete(id)
    const { headers, body } = await read(id)
    expect([headers['x-stale'], body['is_active']]).toEqual(['bids', false])
  })

  it('asks no more after the auction was closed', async () => {
    const id = await stage.auction()
    await projectBid(id, 11_000)
    await close(id)
    stage.auctions.calls.length = 0
    const { headers, body } = await read(id)
    expect([headers['x-stale'], body['is_active'], body['current_bid']]).toEqual([undefined, false, 11_000])
    expect(stage.auctions.calls).toEqual([])
  })
})

describe('GET /api/users/me/listings', () => {
  const mine = (as: ReturnType<typeof someone>): Promise<Answer<Record<string, unknown>[]>> =>
    stage.get('/api/users/me/listings', as)

  it('MINE-04 answers the caller’s own, active and inactive, newest first, with the bids known here', async () => {
    const alice = someone()
    const make = async (body: unknown) => String((await stage.post(body, alice)).body['id'])
    const first = await make({ title: 'One', price: 1, category_id: 1 })
    const second = await make({
      title: 'Two',
      starting_bid: 1,
      is_auction: true,
      auction_end_date: inDays(1),
      category_id: 1,
    })
    const third = await make({ title: 'Three', price: 1, category_id: 1 })
    await stage.post({ title: 'Another’s', price: 1, category_id: 1 }, someone())
    await projectBid(second, 700)
    await close(second)
    const { status, body } = await mine(alice)
    expect(status).toBe(200)
    expect(body.map(({ id, is_active, current_bid }) => [id, is_active, current_bid])).toEqual([
      [third, true, null],
      [second, false, 700],
      [first, true, null],
    ])
    expect(Object.keys(body[0] ?? {})).toHaveLength(24)
  })

  it('B8 MINE-04 answers nobody else’s, whoever is asked for', async () => {
    await stage.list()
    const { userId } = stage.seller
    const { body } = await stage.get<unknown[]>(
      `/api/users/me/listings?user_id=${userId}&seller_id=${userId}`,
      someone(),
    )
    expect(body).toEqual([])
    expect((await stage.get(`/api/users/${userId}/listings`, someone())).status).toBe(404)
  })

  it('MINE-04 is empty for somebody new and 401 signed out', async () => {
    expect((await mine(someone())).body).toEqual([])
    expect((await stage.get('/api/users/me/listings')).status).toBe(401)
  })
})

describe('GetListings', () => {
  it('answers the known ones of these ids', async () => {
    const [one, two] = [await stage.list(), await stage.list()]
    const { listings } = await stage.catalog.getListings({ ids: [one, two, newId(), 'x'] })
    expect(listings.map(({ id }) => id).toSorted()).toEqual([one, two].toSorted())
    expect(listings[0]).toMatchObject({ version: 1n, priceCents: 2499, categorySlug: 'home-decor', isActive: true })
  })

  it('answers pages of all in the order of their ids', async () => {
    const ids: string[] = []
    for (let afterId = ''; ;) {
      const { listings } = await stage.catalog.getListings({ afterId, pageSize: 3 })
      const last = listings.at(-1)
      if (!last) break
      ids.push(...listings.map(({ id }) => id))
      afterId = last.id
    }
    const all = await stage.rows('select id from listings order by id')
    expect(ids).toEqual(all.map(({ id }) => id))
  })

  it('takes at most 100 ids', async () => {
    await expect(stage.catalog.getListings({ ids: Array.from({ length: 101 }, newId) })).rejects.toThrow(/100/)
  })
})
