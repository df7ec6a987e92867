import type { Service } from '@marketplace/kit/app/service.ts'
import { randomUser, type TestUser } from '@marketplace/testing/keys.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buy, buyAuction, cancel, openCheckout } from '../../testing/calls.ts'
import { createHarness, type Harness } from '../../testing/harness.ts'
import { insertPastSales } from '../../testing/past-sales.ts'
import { addWonAuction, auctionWon, startUpstreamEvents } from '../../testing/upstream-events.ts'
import { call } from '../../testing/calls.ts'
import { newId } from '@marketplace/kit/values/ids.ts'

let harness: Harness
let services: [Service, Service]

beforeAll(async () => {
  harness = await createHarness()
  services = [await harness.start(), await harness.start()]
})
afterAll(() => harness.stop())

const tooMany = {
  status: 409,
  body: { code: 'too_many_checkouts', error: expect.stringContaining('at most 5 unpaid checkouts') },
}

const buyNew = (buyer: TestUser) => buy(harness, services[0], buyer, harness.catalog.addItem().listingId)

async function insertExpired(buyer: TestUser, count: number, minutesAgo: number): Promise<void> {
  const sales = { buyerId: buyer.userId, sellerId: newId(), count, state: 'released', type: 'buy_now' } as const
  const ids = await insertPastSales(harness, sales)
  await sql`
    update transactions set reason = 'expired', expires_at = clock_timestamp() - ${minutesAgo} * interval '1 minute',
      updated_at = clock_timestamp() where id = any(${ids})`.execute(harness.db)
}

describe('the unpaid checkouts of a buyer', () => {
  it('are at most 5 at once, whatever the kind, until one ends', async () => {
    const buyer = randomUser()
    const items = Array.from({ length: 4 }, () => harness.catalog.addItem().listingId)
    const intents = []
    for (const listingId of items) intents.push(await openCheckout(harness, services[0], buyer, listingId))
    const auctioned = harness.auction.addItem().listingId
    expect(await buyAuction(harness, services[0], buyer, auctioned)).toMatchObject({ status: 201 })
    const listingId = harness.catalog.addItem().listingId
    expect(await buy(harness, services[0], buyer, listingId)).toMatchObject(tooMany)
    expect(await buyAuction(harness, services[0], buyer, harness.auction.addItem().listingId)).toMatchObject(tooMany)
    // An open checkout is continued, and other buyers are not affected.
    expect(await buy(harness, services[0], buyer, items[0] ?? '')).toMatchObject({ status: 201 })
    expect(await buyNew(randomUser('Bob'))).toMatchObject({ status: 201 })
    expect(harness.catalog.calls.hold).toBe(5)
    const [intent] = intents
    if (intent) await cancel(harness, services[0], buyer, intent)
    expect(await buy(harness, services[0], buyer, listingId)).toMatchObject({ status: 201 })
  })

  // Fails without `lockCheckouts`.
  it('are exactly 5 when 50 are started at once at two instances', async () => {
    const buyer = randomUser()
    const responses = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        buy(harness, services[index % 2 === 0 ? 0 : 1], buyer, harness.catalog.addItem().listingId),
      ),
    )
    const statuses = responses.map(({ status }) => status)
    expect(statuses.filter((status) => status === 201)).toHaveLength(5)
    expect(statuses.filter((status) => status === 409)).toHaveLength(45)
  })

  it('do not include wins, which are paid as before', async () => {
    const buyer = randomUser()
    const upstream = await startUpstreamEvents(harness)
    const wins = Array.from({ length: 6 }, () => addWonAuction(harness, buyer))
    await upstream.deliver(...wins.map(auctionWon))
    await upstream.close()
    for (let count = 0; count < 5; count++) expect(await buyNew(buyer)).toMatchObject({ status: 201 })
    for (const { item } of wins) {
      const body = { listing_id: item.listingId, transaction_type: 'auction_win' }
      const paid = await call(harness, services[0], buyer, ['POST', '/api/payments/create-intent', body])
      expect(paid).toMatchObject({ status: 201 })
    }
  })
})

describe('a new checkout after checkouts that expired unpaid', () => {
  it.each([
    ['one', 1, 0],
    ['two, 6 minutes ago', 2, 6],
    ['three, 11 minutes ago', 3, 11],
    ['thirty, 25 hours ago', 30, 25 * 60],
  ])('(%s) does not wait', async (_what, count, minutesAgo) => {
    const buyer = randomUser()
    await insertExpired(buyer, count, minutesAgo)
    expect(await buyNew(buyer)).toMatchObject({ status: 201 })
  })

  it.each([
    ['two, 4 minutes ago', 2, 4, '1 minute'],
    ['three, 8 minutes ago', 3, 8, '2 minutes'],
    ['thirty, 23 hours ago', 30, 23 * 60, '60 minutes'],
  ])('(%s) waits until its Retry-After', async (_what, count, minutesAgo, wait) => {
    const buyer = randomUser()
    await insertExpired(buyer, count, minutesAgo)
    const response = await services[0].publicApp.inject({
      method: 'POST',
      url: '/api/payments/create-intent',
      headers: await harness.keys.authorization(buyer),
      payload: { listing_id: harness.catalog.addItem().listingId, transaction_type: 'buy_now' },
    })
    expect(response.statusCode).toBe(429)
    expect(response.json()).toEqual({
      error: `${count} of your checkouts expired without payment. You can start another one in ${wait}.`,
      code: 'checkouts_paused',
    })
    const minutes = Number.parseInt(wait, 10)
    const seconds = Number(response.headers['retry-after'])
    expect(seconds).toBeGreaterThan((minutes - 1) * 60)
    expect(seconds).toBeLessThanOrEqual(minutes * 60)
  })

  it('does not wait for canceled checkouts, ended auctions or the checkouts of others', async () => {
    const buyer = randomUser()
    for (let count = 0; count < 3; count++) {
      const { listingId } = harness.catalog.addItem()
      await cancel(harness, services[0], buyer, await openCheckout(harness, services[0], buyer, listingId))
    }
    await insertExpired(randomUser('Bob'), 10, 0)
    await insertExpired(buyer, 3, -5)
    expect(await buyNew(buyer)).toMatchObject({ status: 201 })
  })
})
