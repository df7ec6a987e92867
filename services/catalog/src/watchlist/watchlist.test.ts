import { newId } from '@marketplace/kit/values/ids.ts'
import { randomUser, type TestUser } from '@marketplace/testing/keys.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createHarness, type Harness } from '../testing/harness.ts'

let harness: Harness
let alice: TestUser
let listingId: string

beforeAll(async () => {
  harness = await createHarness()
})
afterAll(() => harness.close())
beforeEach(async () => {
  alice = randomUser()
  listingId = await harness.createListing()
})

const add = (id: unknown, as = alice) => harness.call('POST', '/api/watchlist', { as, body: { listing_id: id } })
const check = (id: string, as = alice) => harness.get(`/api/watchlist/check/${id}`, as)
const remove = (id: string, as = alice) => harness.call('DELETE', `/api/watchlist/${id}`, { as })
const readWatchlist = async (as: TestUser) => (await harness.get<Record<string, unknown>[]>('/api/watchlist', as)).body
const readIds = async (as: TestUser) => (await readWatchlist(as)).map(({ id }) => id)
const watched = (isWatched: boolean) => ({ status: 200, body: { isWatched } })

describe('the watchlist', () => {
  it('WATCH-03 adds, checks and removes a listing, and repeated requests change nothing', async () => {
    expect(await check(listingId)).toMatchObject(watched(false))
    for (let times = 0; times < 2; times += 1) expect(await add(listingId)).toMatchObject(watched(true))
    expect(await check(listingId)).toMatchObject(watched(true))
    expect(await readIds(alice)).toEqual([listingId])
    for (let times = 0; times < 2; times += 1) expect(await remove(listingId)).toMatchObject(watched(false))
    expect(await check(listingId)).toMatchObject(watched(false))
    expect(await readIds(alice)).toEqual([])
  })

  it('WATCH-03 returns complete listings, newest entry first, and keeps an entry’s position when it is added again', async () => {
    const ids = [listingId, await harness.createAuction(), await harness.createListing()]
    for (const id of [ids[2], ids[0], ids[1], ids[2]]) await add(id)
    const list = await readWatchlist(alice)
    expect(list.map(({ id }) => id)).toEqual([ids[1], ids[0], ids[2]])
    const {
      seller_name: _,
      bid_count: __,
      is_held_by_you: ___,
      ...listing
    } = (await harness.get(`/api/listings/${listingId}`)).body
    expect(list[1]).toEqual(listing)
  })

  it('B14 WATCH-03 keeps an inactive listing, and allows adding, checking and removing one', async () => {
    await add(listingId)
    await harness.rows('update listings set is_active = false where id = $1', [listingId])
    expect(await readWatchlist(alice)).toMatchObject([{ id: listingId, is_active: false }])
    expect(await add(listingId, randomUser())).toMatchObject(watched(true))
    expect(await check(listingId)).toMatchObject(watched(true))
    expect((await harness.get(`/api/listings/${listingId}`)).body['is_active']).toBe(false)
    expect(await remove(listingId)).toMatchObject(watched(false))
  })

  it('WATCH-03 is private: other users can neither read nor change it', async () => {
    await add(listingId)
    const xavier = randomUser('Xavier')
    expect([await readIds(xavier), (await check(listingId, xavier)).body]).toEqual([[], { isWatched: false }])
    await remove(listingId, xavier)
    const { body } = await harness.get<unknown[]>(`/api/watchlist?user_id=${alice.userId}`, xavier)
    expect([body, await readIds(alice)]).toEqual([[], [listingId]])
  })

  // This test fails without `onConflict` in watchlist.repo.ts.
  it('WATCH-03 adds a listing once when 20 requests arrive concurrently at two instances', async () => {
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        harness.call('POST', '/api/watchlist', {
          as: alice,
          body: { listing_id: listingId },
          at: index % 2 ? harness.first : harness.second,
        }),
      ),
    )
    expect(responses).toMatchObject(Array(20).fill(watched(true)))
    expect(await readIds(alice)).toEqual([listingId])
  })
})

describe('a watchlist request', () => {
  it('WATCH-03 gets 403 for the user’s own listing', async () => {
    for (const response of [
      await add(listingId, harness.seller),
      await check(listingId, harness.seller),
      await remove(listingId, harness.seller),
    ])
      expect([response.status, response.body['code']]).toEqual([403, 'own_listing'])
    expect(await readIds(harness.seller)).toEqual([])
  })

  it('B7 WATCH-03 gets 401 without a session, whatever the request', async () => {
    const calls: [string, string, unknown?][] = [
      ['GET', '/api/watchlist'],
      ['POST', '/api/watchlist', '{'],
      ['GET', `/api/watchlist/check/${listingId}`],
      ['GET', '/api/watchlist/check/x'],
      ['DELETE', `/api/watchlist/${listingId}`],
    ]
    for (const [method, url, body] of calls) expect((await harness.call(method, url, { body })).status).toBe(401)
  })

  it.each([
    '1',
    'x',
    '__proto__',
    newId(),
    '0b1c6a60-6b1e-4c6e-8f3b-3a8f3f1e2d4c',
    '%00',
    'a'.repeat(150),
    'a'.repeat(250),
  ])('WATCH-03 gets 404 for %.40s in the path', async (id) => {
    expect((await check(id)).status).toBe(404)
    expect((await remove(id)).status).toBe(404)
  })

  it.each([[undefined], [null], [''], ['x'], [7], [{ $gt: 0 }], [[newId()]], ['0b1c6a60-6b1e-4c6e-8f3b-3a8f3f1e2d4c']])(
    'M8 WATCH-03 gets 400 for %j in the body',
    async (id) => {
      const { status, body } = await add(id)
      expect([status, body['details']]).toMatchObject([400, [{ path: 'listing_id' }]])
    },
  )

  it('WATCH-03 gets 404 for an unknown listing in the body', async () => {
    expect((await add(newId())).status).toBe(404)
  })

  it.each(['', '[]', 'null', '{"listing_id":', `{"listing_id":"x","__proto__":{"polluted":1}}`])(
    'M5 gets 400 for the body %j',
    async (body) => {
      expect((await harness.call('POST', '/api/watchlist', { as: alice, body })).status).toBe(400)
      expect('polluted' in {}).toBe(false)
    },
  )
})
