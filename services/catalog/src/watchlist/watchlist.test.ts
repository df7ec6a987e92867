import { newId } from '@marketplace/kit/ids.ts'
import { someone, type TestUser } from '@marketplace/testing/keys.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { setStage, type Stage } from '../testing/stage.ts'

let stage: Stage
let alice: TestUser
let listingId: string

beforeAll(async () => {
  stage = await setStage()
})
afterAll(() => stage.close())
beforeEach(async () => {
  alice = someone()
  listingId = await stage.list()
})

const add = (id: unknown, as = alice) => stage.call('POST', '/api/watchlist', { as, body: { listing_id: id } })
const check = (id: string, as = alice) => stage.get(`/api/watchlist/check/${id}`, as)
const remove = (id: string, as = alice) => stage.call('DELETE', `/api/watchlist/${id}`, { as })
const listOf = async (as: TestUser) => (await stage.get<Record<string, unknown>[]>('/api/watchlist', as)).body
const idsOf = async (as: TestUser) => (await listOf(as)).map(({ id }) => id)
const watched = (isWatched: boolean) => ({ status: 200, body: { isWatched } })

describe('the watchlist', () => {
  it('WATCH-03 adds, checks and removes; twice is as once', async () => {
    expect(await check(listingId)).toMatchObject(watched(false))
    for (let times = 0; times < 2; times += 1) expect(await add(listingId)).toMatchObject(watched(true))
    expect(await check(listingId)).toMatchObject(watched(true))
    expect(await idsOf(alice)).toEqual([listingId])
    for (let times = 0; times < 2; times += 1) expect(await remove(listingId)).toMatchObject(watched(false))
    expect(await check(listingId)).toMatchObject(watched(false))
    expect(await idsOf(alice)).toEqual([])
  })

  it('WATCH-03 has whole listings, the newest entry first, which adding again does not change', async () => {
    const ids = [listingId, await stage.auction(), await stage.list()]
    for (const id of [ids[2], ids[0], ids[1], ids[2]]) await add(id)
    const list = await listOf(alice)
    expect(list.map(({ id }) => id)).toEqual([ids[1], ids[0], ids[2]])
    const { seller_name: _, bid_count: __, ...listing } = (await stage.get(`/api/listings/${listingId}`)).body
    expect(list[1]).toEqual(listing)
  })

  it('B14 WATCH-03 keeps an inactive listing, which can be added, checked and removed as well', async () => {
    await add(listingId)
    await stage.rows('update listings set is_active = false where id = $1', [listingId])
    expect(await listOf(alice)).toMatchObject([{ id: listingId, is_active: false }])
    expect(await add(listingId, someone())).toMatchObject(watched(true))
    expect(await check(listingId)).toMatchObject(watched(true))
    expect((await stage.get(`/api/listings/${listingId}`)).body['is_active']).toBe(false)
    expect(await remove(listingId)).toMatchObject(watched(false))
  })

  it('WATCH-03 is private: nobody sees or changes another’s', async () => {
    await add(listingId)
    const xavier = someone('Xavier')
    expect([await idsOf(xavier), (await check(listingId, xavier)).body]).toEqual([[], { isWatched: false }])
    await remove(listingId, xavier)
    const { body } = await stage.get<unknown[]>(`/api/watchlist?user_id=${alice.userId}`, xavier)
    expect([body, await idsOf(alice)]).toEqual([[], [listingId]])
  })

  // Red without `onConflict` in watchlist.repo.ts.
  it('WATCH-03 adds once when 20 ask at once in two processes', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        stage.call('POST', '/api/watchlist', {
          as: alice,
          body: { listing_id: listingId },
          at: index % 2 ? stage.first : stage.second,
        }),
      ),
    )
    expect(answers).toMatchObject(Array(20).fill(watched(true)))
    expect(await idsOf(alice)).toEqual([listingId])
  })
})

describe('what is refused', () => {
  it('WATCH-03 the own listing is 403', async () => {
    for (const answer of [
      await add(listingId, stage.seller),
      await check(listingId, stage.seller),
      await remove(listingId, stage.seller),
    ])
      expect([answer.status, answer.body['code']]).toEqual([403, 'own_listing'])
    expect(await idsOf(stage.seller)).toEqual([])
  })

  it('B7 WATCH-03 signed out is 401, whatever is asked', async () => {
    const calls: [string, string, unknown?][] = [
      ['GET', '/api/watchlist'],
      ['POST', '/api/watchlist', '{'],
      ['GET', `/api/watchlist/check/${listingId}`],
      ['GET', '/api/watchlist/check/x'],
      ['DELETE', `/api/watchlist/${listingId}`],
    ]
    for (const [method, url, body] of calls) expect((await stage.call(method, url, { body })).status).toBe(401)
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
  ])('WATCH-03 is 404 for %.40s in the path', async (id) => {
    expect((await check(id)).status).toBe(404)
    expect((await remove(id)).status).toBe(404)
  })

  it.each([[undefined], [null], [''], ['x'], [7], [{ $gt: 0 }], [[newId()]], ['0b1c6a60-6b1e-4c6e-8f3b-3a8f3f1e2d4c']])(
    'M8 WATCH-03 is 400 for %j in the body',
    async (id) => {
      const { status, body } = await add(id)
      expect([status, body['details']]).toMatchObject([400, [{ path: 'listing_id' }]])
    },
  )

  it('WATCH-03 is 404 for an unknown listing in the body', async () => {
    expect((await add(newId())).status).toBe(404)
  })

  it.each(['', '[]', 'null', '{"listing_id":', `{"listing_id":"x","__proto__":{"polluted":1}}`])(
    'M5 a body that is %j is 400',
    async (body) => {
      expect((await stage.call('POST', '/api/watchlist', { as: alice, body })).status).toBe(400)
      expect('polluted' in {}).toBe(false)
    },
  )
})
