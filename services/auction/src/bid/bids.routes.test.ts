import { newId } from '@marketplace/kit/values/ids.ts'
import { randomUser } from '@marketplace/testing/keys.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createHarness, type Harness } from '../testing/harness.ts'

const alice = randomUser('Alice')
const bob = randomUser('Bob')

let harness: Harness

beforeAll(async () => {
  harness = await createHarness()
})
afterAll(() => harness.close())

describe('placing a bid', () => {
  it('BID-08 returns the bid in cents and the auction’s state directly after it', async () => {
    const endAt = new Date(Date.now() + 3_600_000)
    const listingId = await harness.openAuction({ endAt })
    const { status, body } = await harness.bid(listingId, 123.45, alice)
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

  it('stores one time for the response, the bid and the event', async () => {
    const listingId = await harness.openAuction()
    const { body } = await harness.bid(listingId, 150, alice)
    const [bid] = await harness.rows('select placed_at from bids where listing_id = $1', [listingId])
    const [event] = await harness.rows(`select payload ->> 'placedAt' as placed_at from outbox where key = $1`, [
      listingId,
    ])
    const bidTime = Object(bid?.['placed_at']).toISOString()
    const eventTime = new Date(String(event?.['placed_at'])).toISOString()
    expect([body['created_at'], body['updated_at'], eventTime]).toEqual([bidTime, bidTime, bidTime])
  })

  it('BID-02 L2 rejects a bid at or below the current or starting bid and accepts one cent above', async () => {
    const listingId = await harness.openAuction({ startingCents: 10_000 })
    const low = (current: number | null) => ({
      code: 'bid_too_low',
      current_bid: current,
      error: expect.stringContaining('higher'),
    })
    expect(await harness.bid(listingId, 99.99)).toEqual({ status: 409, body: low(null) })
    expect(await harness.bid(listingId, 100)).toEqual({ status: 409, body: low(null) })
    expect(await harness.bid(listingId, 100.01)).toMatchObject({
      status: 201,
      body: { current_bid: 10_001, bid_count: 1 },
    })
    expect(await harness.bid(listingId, 100.01)).toEqual({ status: 409, body: low(10_001) })
    expect(await harness.bid(listingId, 100.02)).toMatchObject({
      status: 201,
      body: { current_bid: 10_002, bid_count: 2 },
    })
  })

  it('accepts a bid by the current leader', async () => {
    const listingId = await harness.openAuction()
    expect((await harness.bid(listingId, 101, alice)).status).toBe(201)
    expect((await harness.bid(listingId, 102, alice)).status).toBe(201)
  })

  it.each([
    ['missing', undefined],
    ['null', null],
    ['zero', 0],
    ['negative', -5],
    ['a string', '150'],
    ['an array', [150]],
    ['a number with three decimals', 150.001],
    ['above the maximum', 10_000_000],
  ])('BID-01 rejects an amount that is %s with an error', async (_case, amount) => {
    const listingId = await harness.openAuction()
    const { status, body } = await harness.bid(listingId, amount)
    expect(status).toBe(400)
    expect(body).toMatchObject({ error: expect.any(String), code: 'invalid' })
    expect(await harness.rows('select 1 from bids where listing_id = $1', [listingId])).toEqual([])
  })

  it('BID-01 states that the amount must be above 0', async () => {
    const { body } = await harness.bid(await harness.openAuction(), 0)
    expect(body['error']).toBe('Bid amount must be greater than $0.00')
  })

  it.each([['7'], [''], [5], [undefined], ['018f2f00-0000-4000-8000-000000000000']])(
    'rejects the listing id %j with 400',
    async (listingId) => {
      const headers = await harness.keys.authorization(alice)
      const response = await harness.first.service.publicApp.inject({
        method: 'POST',
        url: '/api/bids',
        headers,
        payload: { listing_id: listingId, amount: 150 },
      })
      expect(response.statusCode).toBe(400)
    },
  )

  it('M2 ignores identity and state in the body', async () => {
    const listingId = await harness.openAuction()
    const response = await harness.first.service.publicApp.inject({
      method: 'POST',
      url: '/api/bids',
      headers: await harness.keys.authorization(alice),
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

  it('BID-06 rejects a bid without a session', async () => {
    const payload = { listing_id: await harness.openAuction(), amount: 150 }
    const response = await harness.first.service.publicApp.inject({ method: 'POST', url: '/api/bids', payload })
    expect(response.statusCode).toBe(401)
    expect(response.json()).toMatchObject({ code: 'unauthenticated' })
  })
})

describe('a bid that the auction’s state does not allow', () => {
  it('BID-03 L3 is rejected when the seller places it', async () => {
    expect(await harness.bid(await harness.openAuction(), 150, harness.seller)).toMatchObject({
      status: 403,
      body: { code: 'own_listing' },
    })
  })

  it('BID-03 L3 is rejected on a fixed-price listing', async () => {
    const listingId = newId()
    await harness.rows('insert into fixed_price_listings values ($1, $2)', [listingId, harness.seller.userId])
    expect(await harness.bid(listingId, 150)).toMatchObject({ status: 409, body: { code: 'not_an_auction' } })
    expect(await harness.bid(listingId, 150, harness.seller)).toMatchObject({
      status: 403,
      body: { code: 'own_listing' },
    })
  })

  it('BID-03 L3 is rejected after the end and closes the auction for the highest bidder', async () => {
    const listingId = await harness.openAuction()
    await harness.bid(listingId, 150, alice)
    await harness.setEndIn(listingId, -1)
    const rejected = { status: 409, body: { code: 'auction_ended', error: 'This auction has ended.' } }
    expect(await harness.bid(listingId, 200, bob)).toEqual(rejected)
    const holds = await harness.rows('select buyer_id, price, state from holds where listing_id = $1', [listingId])
    expect(holds).toEqual([{ buyer_id: alice.userId, price: 15_000, state: 'held' }])
    expect(await harness.bid(listingId, 200, bob)).toEqual(rejected)
  })

  it('L3 gets 404 for an unknown listing', async () => {
    expect(await harness.bid(newId(), 150)).toMatchObject({ status: 404, body: { code: 'not_found' } })
  })
})
