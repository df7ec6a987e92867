import { randomUser, type TestUser } from '@marketplace/testing/keys.ts'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { createHarness, type Harness } from '../testing/harness.ts'
import { actOnOffer, createOffer, postOffer, readLiveHolds, readOfferStatuses } from '../testing/offers.ts'

let harness: Harness
let buyer: TestUser
let listingId: string

beforeAll(async () => {
  harness = await createHarness()
})
afterAll(() => harness.close())
beforeEach(async () => {
  buyer = randomUser('Bob')
  listingId = await harness.createListing({ price: 1500, shipping_cost: 2200 })
})

const message = 'Offer amount must be at least $1,000.00, because shipping is $2,200.00'
const tooLow = { status: 400, body: { error: message, code: 'invalid', details: [{ path: 'amount', message }] } }
const respond = (id: string, verb: 'accept' | 'counter', as: TestUser, body?: unknown) =>
  actOnOffer(harness, id, verb, { as, body })

it.each([0.01, 999.99])(
  'L20 an offer of %d dollars is rejected when shipping is too expensive for that amount',
  async (amount) => {
    expect(await postOffer(harness, buyer, { listing_id: listingId, amount })).toMatchObject(tooLow)
    expect(await readOfferStatuses(harness, listingId)).toEqual([])
    await createOffer(harness, listingId, buyer, 1000)
  },
)

it('L20 a counteroffer of either side has the same lowest amount', async () => {
  const offer = await createOffer(harness, listingId, buyer, 1000)
  expect(await respond(offer, 'counter', harness.seller, { amount: 999.99 })).toMatchObject(tooLow)
  const { body } = await respond(offer, 'counter', harness.seller, { amount: 1400 })
  expect(await respond(body.id, 'counter', buyer, { amount: 0.01 })).toMatchObject(tooLow)
  expect(await readOfferStatuses(harness, listingId)).toEqual(['buyer rejected', 'seller pending'])
})

it('L20 an offer below that amount that was stored earlier can be countered, but not accepted', async () => {
  const offer = await createOffer(harness, listingId, buyer, 1000)
  await harness.rows('update offers set amount_cents = 1 where id = $1', [offer])
  expect(await respond(offer, 'accept', harness.seller)).toMatchObject({
    status: 409,
    body: { error: `${message}. Make a counteroffer.`, code: 'amount_too_low' },
  })
  expect(await readLiveHolds(harness, listingId)).toEqual([])
  expect((await respond(offer, 'counter', harness.seller, { amount: 1000 })).status).toBe(201)
})

it('L20 the lowest amount is rounded up to a cent', async () => {
  const id = await harness.createListing({ price: 20, shipping_cost: 200.01 })
  await createOffer(harness, id, buyer, 0.01)
  const heavy = await harness.createListing({ price: 20, shipping_cost: 200.03 })
  expect((await postOffer(harness, buyer, { listing_id: heavy, amount: 0.01 })).status).toBe(400)
  await createOffer(harness, heavy, buyer, 0.02)
})
