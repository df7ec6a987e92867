import { SaleType, SettleOutcome } from '@marketplace/contracts/gen/marketplace/sales/v1/sales_pb.ts'
import { toJson } from '@bufbuild/protobuf'
import { timestampFromDate, TimestampSchema } from '@bufbuild/protobuf/wkt'
import { newId } from '@marketplace/kit/values/ids.ts'
import { eventually } from '@marketplace/testing/eventually.ts'
import { randomUser, type TestUser } from '@marketplace/testing/keys.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  readOfferAcceptedEvents,
  readLiveHolds,
  actOnOffer,
  createOffer,
  readOffers,
  readOfferStatuses,
} from '../testing/offers.ts'
import { createHarness, type Harness } from '../testing/harness.ts'

let harness: Harness
let seller: TestUser
let buyer: TestUser
let listingId: string

beforeAll(async () => {
  harness = await createHarness()
  seller = harness.seller
})
afterAll(() => harness.close())
beforeEach(async () => {
  buyer = randomUser('Bob')
  listingId = await harness.createListing({ shipping_cost: 4.5, image_urls: ['https://a.example/1.jpg'] })
})

const accept = (id: string, as = seller) => actOnOffer(harness, id, 'accept', { as })
const reject = (id: string, as = seller) => actOnOffer(harness, id, 'reject', { as })
const withdraw = (id: string, as = buyer) => actOnOffer(harness, id, 'withdraw', { as })
const counter = (id: string, as = seller, body: unknown = { amount: 22 }) =>
  actOnOffer(harness, id, 'counter', { as, body })
const statusAndCode = ({ status, body }: { status: number; body: { code: string } }) => [status, body.code]

const hold = async (saleType: SaleType, as: TestUser, saleId = newId()) =>
  (await harness.sales.hold({ saleId, listingId, buyerId: as.userId, saleType })).answer
const settle = (saleId: string, outcome: SettleOutcome) => harness.sales.settle({ saleId, listingId, outcome })

describe('accepting an offer', () => {
  it('OFFER-06 holds the item for the buyer at the offered price and publishes OfferAccepted', async () => {
    const id = await createOffer(harness, listingId, buyer)
    const { status, body } = await accept(id)
    expect([status, body]).toMatchObject([200, { id, status: 'accepted', amount: 2000, made_by: 'buyer' }])
    const dueAt = new Date(Date.parse(String(body['updated_at'])) + harness.settings.OFFER_PAYMENT_WINDOW_MS)
    const [live, ...others] = await readLiveHolds(harness, listingId)
    expect(others).toEqual([])
    expect(live).toMatchObject({ buyer_id: buyer.userId, offer_id: id, state: 'held', price_cents: 2000 })
    expect(await readOfferAcceptedEvents(harness, listingId)).toEqual([
      {
        offerId: id,
        saleId: live?.['sale_id'],
        listingId,
        buyerId: buyer.userId,
        terms: {
          listingId,
          sellerId: seller.userId,
          priceCents: 2000,
          shippingCents: 450,
          title: 'A brass lamp',
          imageUrl: 'https://a.example/1.jpg',
          termsVersion: 1,
        },
        // The expected time is in protobuf's JSON form, which omits the fraction of a whole second.
        dueAt: toJson(TimestampSchema, timestampFromDate(dueAt)),
      },
    ])
    expect((await harness.get(`/api/listings/${listingId}`)).body['is_active']).toBe(true)
  })

  it('OFFER-06 is up to the buyer for a counter-offer, and holds the item for the buyer as well', async () => {
    const { body } = await counter(await createOffer(harness, listingId, buyer))
    expect(statusAndCode(await accept(body.id))).toEqual([403, 'not_your_turn'])
    expect((await accept(body.id, buyer)).body).toMatchObject({ status: 'accepted', amount: 2200, made_by: 'seller' })
    expect(await readLiveHolds(harness, listingId)).toMatchObject([{ buyer_id: buyer.userId, price_cents: 2200 }])
  })

  it('gets 409 reserved and leaves the offer pending while another buyer holds the item', async () => {
    const [id, carol] = [await createOffer(harness, listingId, buyer), randomUser('Carol')]
    const saleId = newId()
    await hold(SaleType.BUY_NOW, carol, saleId)
    expect(statusAndCode(await accept(id))).toEqual([409, 'reserved'])
    const late = await createOffer(harness, listingId, randomUser('Dora'))
    expect((await counter(late)).status).toBe(201)
    await settle(saleId, SettleOutcome.RELEASED)
    expect((await accept(id)).status).toBe(200)
    expect(statusAndCode(await accept(await createOffer(harness, listingId, carol)))).toEqual([409, 'reserved'])
  })

  it('gets 409 when the listing is inactive', async () => {
    const id = await createOffer(harness, listingId, buyer)
    await harness.rows('update listings set is_active = false where id = $1', [listingId])
    expect(statusAndCode(await accept(id))).toEqual([409, 'inactive'])
    expect(statusAndCode(await counter(id))).toEqual([409, 'inactive'])
    expect((await reject(id)).status).toBe(200)
  })

  // This test fails if lock-offer.ts calls `databaseTime` before the locks.
  it('is decided by the time after the wait for the lock, not by the time of the request', async () => {
    const id = await createOffer(harness, listingId, buyer)
    await harness.rows(`update offers set expires_at = clock_timestamp() + interval '1 second' where id = $1`, [id])
    const commit = await harness.lockListing(listingId)
    const responses = [accept(id), reject(id), counter(id), withdraw(id)]
    await eventually(async () => {
      const [row] = await harness.rows('select expires_at <= clock_timestamp() as over from offers where id = $1', [id])
      return row?.['over']
    })
    await commit()
    for (const response of responses) expect(statusAndCode(await response)).toEqual([409, 'offer_lapsed'])
    expect(await readOfferStatuses(harness, listingId)).toEqual(['buyer pending'])
    expect(await readLiveHolds(harness, listingId)).toEqual([])
  })
})

describe('rejecting, withdrawing and countering', () => {
  it('OFFER-06 marks the offer rejected', async () => {
    const id = await createOffer(harness, listingId, buyer)
    expect(await reject(id)).toMatchObject({ status: 200, body: { id, status: 'rejected' } })
    expect(await readLiveHolds(harness, listingId)).toEqual([])
  })

  it('OFFER-06 marks the offer withdrawn', async () => {
    const id = await createOffer(harness, listingId, buyer)
    expect(await withdraw(id)).toMatchObject({ status: 200, body: { id, status: 'withdrawn' } })
  })

  it('OFFER-06 makes counter-offers in alternating directions', async () => {
    const first = await createOffer(harness, listingId, buyer)
    const second = await counter(first, seller, { amount: 22.5, message: 'Not less.' })
    expect(second).toMatchObject({
      status: 201,
      body: { listing_id: listingId, buyer_id: buyer.userId, made_by: 'seller', amount: 2250, status: 'pending' },
    })
    expect(second.body['message']).toBe('Not less.')
    expect((await readOffers(harness, buyer)).map(({ status, made_by }) => [status, made_by])).toEqual([
      ['pending', 'seller'],
      ['rejected', 'buyer'],
    ])
    const third = await counter(second.body.id, buyer, { amount: 21 })
    expect(third.body).toMatchObject({ made_by: 'buyer', buyer_id: buyer.userId, amount: 2100, message: null })
    expect(await readOfferStatuses(harness, listingId)).toEqual(['buyer rejected', 'seller rejected', 'buyer pending'])
  })

  it('withdraws the seller’s counter-offer when the buyer makes a new offer', async () => {
    const { body } = await counter(await createOffer(harness, listingId, buyer))
    await createOffer(harness, listingId, buyer, 21)
    expect(await readOfferStatuses(harness, listingId)).toEqual(['buyer rejected', 'seller withdrawn', 'buyer pending'])
    expect(statusAndCode(await accept(body.id, buyer))).toEqual([409, 'already_answered'])
  })
})

describe('the permission to change an offer', () => {
  const verbs = [
    ['accept', accept],
    ['reject', reject],
    ['withdraw', withdraw],
    ['counter', counter],
  ] as const

  it.each(verbs)(
    'OFFER-06 to %s gets 401 without a session, 404 for other users and for unknown ids',
    async (verb, respond) => {
      const id = await createOffer(harness, listingId, buyer)
      expect((await harness.call('POST', `/api/offers/${id}/${verb}`, { body: '{' })).status).toBe(401)
      for (const unknown of ['1', 'x', '__proto__', newId(), '%00', 'a'.repeat(150), 'a'.repeat(250)])
        expect((await respond(unknown)).status).toBe(404)
      expect(statusAndCode(await respond(id, randomUser('Xavier')))).toEqual([404, 'not_found'])
      expect(await readOfferStatuses(harness, listingId)).toEqual(['buyer pending'])
    },
  )

  it.each(verbs)(
    'OFFER-06 to %s gets 403 for the wrong side, also after the offer was answered',
    async (verb, respond) => {
      const id = await createOffer(harness, listingId, buyer)
      const wrong = verb === 'withdraw' ? seller : buyer
      expect(statusAndCode(await respond(id, wrong))).toEqual([403, 'not_your_turn'])
      expect(await readOfferStatuses(harness, listingId)).toEqual(['buyer pending'])
      await reject(id)
      expect(statusAndCode(await respond(id, wrong))).toEqual([403, 'not_your_turn'])
    },
  )

  it.each(verbs)(
    'OFFER-06 to %s gets 409 when the offer is accepted, rejected or withdrawn',
    async (_verb, respond) => {
      for (const respondFirst of [reject, withdraw, accept]) {
        const id = await createOffer(harness, listingId, buyer)
        await respondFirst(id)
        expect(statusAndCode(await respond(id))).toEqual([409, 'already_answered'])
      }
      expect(await readOfferStatuses(harness, listingId)).toEqual([
        'buyer rejected',
        'buyer withdrawn',
        'buyer accepted',
      ])
    },
  )
})
