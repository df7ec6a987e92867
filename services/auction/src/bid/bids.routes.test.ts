import { newId } from '@marketplace/kit/ids.ts'
import { expectToMatchContract, readContract } from '@marketplace/testing/contract.ts'
import { someone } from '@marketplace/testing/keys.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { setStage, type Stage } from '../testing/stage.ts'

const alice = someone('Alice')
const bob = someone('Bob')

let stage: Stage

beforeAll(async () => {
  stage = await setStage()
})
afterAll(() => stage.close())

describe('placing a bid', () => {
  it('BID-08 answers the bid in cents with the auction as of its place in the order', async () => {
    const endAt = new Date(Date.now() + 3_600_000)
    const listingId = await stage.openAuction({ endAt })
    const { status, body } = await stage.bid(listingId, 123.45, alice)
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      listing_id: listingId,
      user_id: alice.userId,
      amount: 12_345,
      is_winning: true,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updated_at: body['created_at'],
      current_bid: 12_345,
      bid_count: 1,
      auction_end_date: endAt.toISOString(),
    })
  })

  it('BID-02 L2 refuses a bid at or below the current or starting bid and accepts one cent above', async () => {
    const listingId = await stage.openAuction({ startingCents: 10_000 })
    const low = (current: number | null) => ({
      code: 'bid_too_low',
      current_bid: current,
      error: expect.stringContaining('higher'),
    })
    expect(await stage.bid(listingId, 99.99)).toEqual({ status: 409, body: low(null) })
    expect(await stage.bid(listingId, 100)).toEqual({ status: 409, body: low(null) })
    expect(await stage.bid(listingId, 100.01)).toMatchObject({
      status: 201,
      body: { current_bid: 10_001, bid_count: 1 },
    })
    expect(await stage.bid(listingId, 100.01)).toEqual({ status: 409, body: low(10_001) })
    expect(await stage.bid(listingId, 100.02)).toMatchObject({
      status: 201,
      body: { current_bid: 10_002, bid_count: 2 },
    })
  })

  it('lets a bidder outbid herself', async () => {
    const listingId = await stage.openAuction()
    expect((await stage.bid(listingId, 101, alice)).status).toBe(201)
    expect((await stage.bid(listingId, 102, alice)).status).toBe(201)
  })

  it.each([
    ['missing', undefined],
    ['null', null],
    ['zero', 0],
    ['negative', -5],
    ['a string', '150'],
    ['an array', [150]],
    ['of three decimals', 150.001],
    ['above the largest', 10_000_000],
  ])('BID-01 refuses an amount that is %s with an error', async (_case, amount) => {
    const listingId = await stage.openAuction()
    const { status, body } = await stage.bid(listingId, amount)
    expect(status).toBe(400)
    expect(body).toMatchObject({ error: expect.any(String), code: 'invalid' })
    expect(await stage.rows('select 1 from bids where listing_id = $1', [listingId])).toEqual([])
  })

  it('BID-01 says that the amount must be above 0', async () => {
    const { body } = await stage.bid(await stage.openAuction(), 0)
    expect(body['error']).toBe('Bid amount must be greater than $0.00')
  })

  it.each([['7'], [''], [5], [undefined], ['018f2f00-0000-4000-8000-000000000000']])(
    'refuses the listing id %j with 400',
    async (listingId) => {
      const headers = await stage.keys.authorization(alice)
      const response = await stage.first.service.publicApp.inject({
        method: 'POST',
        url: '/api/bids',
        headers,
        payload: { listing_id: listingId, amount: 150 },
      })
      expect(response.statusCode).toBe(400)
    },
  )

  it('M2 takes no identity and no state from the body', async () => {
    const listingId = await stage.openAuction()
    const response = await stage.first.service.publicApp.inject({
      method: 'POST',
      url: '/api/bids',
      headers: await stage.keys.authorization(alice),
      payload: {
        listing_id: listingId,
        amount: 150,
        user_id: bob.userId,
        is_winning: false,
        created_at: '2020-01-01T00:00:00Z',
      },
    })
    expect(response.json()).toMatchObject({ user_id: alice.userId, is_winning: true })
  })

  it('BID-06 refuses a bid signed out', async () => {
    const payload = { listing_id: await stage.openAuction(), amount: 150 }
    const response = await stage.first.service.publicApp.inject({ method: 'POST', url: '/api/bids', payload })
    expect(response.statusCode).toBe(401)
    expect(response.json()).toMatchObject({ code: 'unauthenticated' })
  })
})

describe('bids that the state forbids', () => {
  it("BID-03 L3 refuses the owner's bid", async () => {
    expect(await stage.bid(await stage.openAuction(), 150, stage.seller)).toMatchObject({
      status: 403,
      body: { code: 'own_listing' },
    })
  })

  it('BID-03 L3 refuses a bid on a fixed-price listing', async () => {
    const listingId = newId()
    await stage.rows('insert into fixed_price_listings values ($1, $2)', [listingId, stage.seller.userId])
    expect(await stage.bid(listingId, 150)).toMatchObject({ status: 409, body: { code: 'not_an_auction' } })
    expect(await stage.bid(listingId, 150, stage.seller)).toMatchObject({ status: 403, body: { code: 'own_listing' } })
  })

  it('BID-03 L3 refuses a bid after the end, which closes the auction for the highest bidder', async () => {
    const listingId = await stage.openAuction()
    await stage.bid(listingId, 150, alice)
    await stage.endIn(listingId, -1)
    const refused = { status: 409, body: { code: 'auction_ended', error: 'This auction has ended.' } }
    expect(await stage.bid(listingId, 200, bob)).toEqual(refused)
    const holds = await stage.rows('select buyer_id, price, state from holds where listing_id = $1', [listingId])
    expect(holds).toEqual([{ buyer_id: alice.userId, price: 15_000, state: 'held' }])
    expect(await stage.bid(listingId, 200, bob)).toEqual(refused)
  })

  it('L3 answers 404 for a listing that nobody knows', async () => {
    expect(await stage.bid(newId(), 150)).toMatchObject({ status: 404, body: { code: 'not_found' } })
  })
})

describe("an auction's bids", () => {
  const read = async (id: string) => {
    const response = await stage.second.service.publicApp.inject({ url: `/api/auctions/${id}/bids` })
    expectToMatchContract(await readContract('auction'), 'GET', '/api/auctions/{id}/bids', response)
    return response
  }

  it('are shown to everybody, highest first, with masked names and nothing else of the bidder', async () => {
    const listingId = await stage.openAuction()
    await stage.bid(listingId, 101, alice)
    await stage.bid(listingId, 102, bob)
    await stage.bid(listingId, 150, alice)
    const response = await read(listingId)
    expect(response.statusCode).toBe(200)
    const base = { id: expect.any(String), created_at: expect.any(String) }
    expect(response.json()).toStrictEqual([
      { ...base, amount: 15_000, is_winning: true, bidder: 'A***e' },
      { ...base, amount: 10_200, is_winning: false, bidder: 'B***b' },
      { ...base, amount: 10_100, is_winning: false, bidder: 'A***e' },
    ])
    expect(response.body).not.toContain(alice.userId)
  })

  it('store no name, only the mask', async () => {
    const listingId = await stage.openAuction()
    await stage.bid(listingId, 101, alice)
    const [row] = await stage.rows('select to_json(bids)::text as text from bids where listing_id = $1', [listingId])
    expect(row?.['text']).not.toContain('Alice')
  })

  it('are an empty list before the first', async () => {
    expect((await read(await stage.openAuction())).json()).toEqual([])
  })

  it.each([
    ['of an unknown listing', newId()],
    ['of a number', '7'],
    ['of another form', 'abc'],
  ])('%s are 404', async (_case, id) => {
    expect((await read(id)).statusCode).toBe(404)
  })
})
