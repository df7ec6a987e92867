import {
  PaymentSucceededSchema,
  SaleReleasedSchema,
} from '@marketplace/contracts/gen/marketplace/payments/v1/payments_pb.ts'
import { Owner, SaleType, SettleOutcome } from '@marketplace/contracts/gen/marketplace/sales/v1/sales_pb.ts'
import { timestampDate } from '@bufbuild/protobuf/wkt'
import { newId } from '@marketplace/kit/ids.ts'
import { eventually } from '@marketplace/testing/eventually.ts'
import { someone, type TestUser } from '@marketplace/testing/keys.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { acceptancesOf, liveHoldsOf, moveOffer, offerOn, offersOf, statusesOf } from '../testing/offers.ts'
import { setStage, type Stage } from '../testing/stage.ts'

let stage: Stage
let seller: TestUser
let buyer: TestUser
let listingId: string

beforeAll(async () => {
  stage = await setStage()
  seller = stage.seller
})
afterAll(() => stage.close())
beforeEach(async () => {
  buyer = someone('Bob')
  listingId = await stage.list({ shipping_cost: 4.5, image_urls: ['https://a.example/1.jpg'] })
})

const accept = (id: string, as = seller) => moveOffer(stage, id, 'accept', { as })
const reject = (id: string, as = seller) => moveOffer(stage, id, 'reject', { as })
const withdraw = (id: string, as = buyer) => moveOffer(stage, id, 'withdraw', { as })
const counter = (id: string, as = seller, body: unknown = { amount: 22 }) =>
  moveOffer(stage, id, 'counter', { as, body })
const statusIn = (answer: { status: number; body: { code: string } }) => [answer.status, answer.body.code]

const hold = async (saleType: SaleType, as: TestUser, saleId = newId()) =>
  (await stage.sales.hold({ saleId, listingId, buyerId: as.userId, saleType })).answer
const settle = (saleId: string, outcome: SettleOutcome) => stage.sales.settle({ saleId, listingId, outcome })

async function acceptedSale(): Promise<{ offerId: string; saleId: string }> {
  const offerId = await offerOn(stage, listingId, buyer)
  await accept(offerId)
  const [live] = await liveHoldsOf(stage, listingId)
  return { offerId, saleId: String(live?.['sale_id']) }
}

describe('accepting', () => {
  it('OFFER-06 holds the item for the buyer at the offered price and tells payments', async () => {
    const id = await offerOn(stage, listingId, buyer)
    const { status, body } = await accept(id)
    expect([status, body]).toMatchObject([200, { id, status: 'accepted', amount: 2000, made_by: 'buyer' }])
    const [live, ...others] = await liveHoldsOf(stage, listingId)
    expect(others).toEqual([])
    expect(live).toMatchObject({ buyer_id: buyer.userId, offer_id: id, state: 'held', price_cents: 2000 })
    expect(await acceptancesOf(stage, listingId)).toEqual([
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
        },
        dueAt: new Date(Date.parse(String(body['updated_at'])) + stage.settings.OFFER_DUE_MS).toISOString(),
      },
    ])
    expect((await stage.get(`/api/listings/${listingId}`)).body['is_active']).toBe(true)
  })

  it('OFFER-06 of a counter-offer is the buyer’s, and holds the item for the buyer as well', async () => {
    const { body } = await counter(await offerOn(stage, listingId, buyer))
    expect(statusIn(await accept(body.id))).toEqual([403, 'not_your_turn'])
    expect((await accept(body.id, buyer)).body).toMatchObject({ status: 'accepted', amount: 2200, made_by: 'seller' })
    expect(await liveHoldsOf(stage, listingId)).toMatchObject([{ buyer_id: buyer.userId, price_cents: 2200 }])
  })

  it('is 409 reserved while another has the item, and the offer stays open', async () => {
    const [id, carol] = [await offerOn(stage, listingId, buyer), someone('Carol')]
    const saleId = newId()
    await hold(SaleType.BUY_NOW, carol, saleId)
    expect(statusIn(await accept(id))).toEqual([409, 'reserved'])
    const late = await offerOn(stage, listingId, someone('Dora'))
    expect((await counter(late)).status).toBe(201)
    await settle(saleId, SettleOutcome.RELEASED)
    expect((await accept(id)).status).toBe(200)
    expect(statusIn(await accept(await offerOn(stage, listingId, carol)))).toEqual([409, 'reserved'])
  })

  it('is 409 on what is no longer for sale', async () => {
    const id = await offerOn(stage, listingId, buyer)
    await stage.rows('update listings set is_active = false where id = $1', [listingId])
    expect(statusIn(await accept(id))).toEqual([409, 'inactive'])
    expect(statusIn(await counter(id))).toEqual([409, 'inactive'])
    expect((await reject(id)).status).toBe(200)
  })

  // Red when `databaseTime` comes before the locks in lock-offer.ts.
  it('is judged by the clock after the wait for the listing, not by when it was asked', async () => {
    const id = await offerOn(stage, listingId, buyer)
    await stage.rows(`update offers set expires_at = clock_timestamp() + interval '1 second' where id = $1`, [id])
    const commit = await stage.lock(listingId)
    const answers = [accept(id), reject(id), counter(id), withdraw(id)]
    await eventually(async () => {
      const [row] = await stage.rows('select expires_at <= clock_timestamp() as over from offers where id = $1', [id])
      return row?.['over']
    })
    await commit()
    for (const answer of answers) expect(statusIn(await answer)).toEqual([409, 'offer_lapsed'])
    expect(await statusesOf(stage, listingId)).toEqual(['buyer pending'])
    expect(await liveHoldsOf(stage, listingId)).toEqual([])
  })
})

describe('rejecting, withdrawing and countering', () => {
  it('OFFER-06 rejects', async () => {
    const id = await offerOn(stage, listingId, buyer)
    expect(await reject(id)).toMatchObject({ status: 200, body: { id, status: 'rejected' } })
    expect(await liveHoldsOf(stage, listingId)).toEqual([])
  })

  it('OFFER-06 withdraws', async () => {
    const id = await offerOn(stage, listingId, buyer)
    expect(await withdraw(id)).toMatchObject({ status: 200, body: { id, status: 'withdrawn' } })
  })

  it('OFFER-06 counters in the other direction, again and again', async () => {
    const first = await offerOn(stage, listingId, buyer)
    const second = await counter(first, seller, { amount: 22.5, message: 'Not less.' })
    expect(second).toMatchObject({
      status: 201,
      body: { listing_id: listingId, buyer_id: buyer.userId, made_by: 'seller', amount: 2250, status: 'pending' },
    })
    expect(second.body['message']).toBe('Not less.')
    expect((await offersOf(stage, buyer)).map(({ status, made_by }) => [status, made_by])).toEqual([
      ['pending', 'seller'],
      ['rejected', 'buyer'],
    ])
    const third = await counter(second.body.id, buyer, { amount: 21 })
    expect(third.body).toMatchObject({ made_by: 'buyer', buyer_id: buyer.userId, amount: 2100, message: null })
    expect(await statusesOf(stage, listingId)).toEqual(['buyer rejected', 'seller rejected', 'buyer pending'])
  })

  it('a new offer of the buyer’s takes the place of the seller’s counter-offer', async () => {
    const { body } = await counter(await offerOn(stage, listingId, buyer))
    await offerOn(stage, listingId, buyer, 21)
    expect(await statusesOf(stage, listingId)).toEqual(['buyer rejected', 'seller withdrawn', 'buyer pending'])
    expect(statusIn(await accept(body.id, buyer))).toEqual([409, 'already_answered'])
  })
})

describe('who may answer', () => {
  const verbs = [
    ['accept', accept],
    ['reject', reject],
    ['withdraw', withdraw],
    ['counter', counter],
  ] as const

  it.each(verbs)('OFFER-06 to %s is 401 signed out, 404 for all others and for unknown ids', async (verb, move) => {
    const id = await offerOn(stage, listingId, buyer)
    expect((await stage.call('POST', `/api/offers/${id}/${verb}`, { body: '{' })).status).toBe(401)
    for (const unknown of ['1', 'x', '__proto__', newId(), '%00', 'a'.repeat(150), 'a'.repeat(250)])
      expect((await move(unknown)).status).toBe(404)
    expect(statusIn(await move(id, someone('Xavier')))).toEqual([404, 'not_found'])
    expect(await statusesOf(stage, listingId)).toEqual(['buyer pending'])
  })

  it.each(verbs)('OFFER-06 to %s is 403 for the other side, also once answered', async (verb, move) => {
    const id = await offerOn(stage, listingId, buyer)
    const wrong = verb === 'withdraw' ? seller : buyer
    expect(statusIn(await move(id, wrong))).toEqual([403, 'not_your_turn'])
    expect(await statusesOf(stage, listingId)).toEqual(['buyer pending'])
    await reject(id)
    expect(statusIn(await move(id, wrong))).toEqual([403, 'not_your_turn'])
  })

  it.each(verbs)('OFFER-06 to %s is 409 on an offer that is accepted, rejected or withdrawn', async (_verb, move) => {
    for (const answer of [reject, withdraw, accept]) {
      const id = await offerOn(stage, listingId, buyer)
      await answer(id)
      expect(statusIn(await move(id))).toEqual([409, 'already_answered'])
    }
    expect(await statusesOf(stage, listingId)).toEqual(['buyer rejected', 'buyer withdrawn', 'buyer accepted'])
  })
})

describe('the sale of an accepted offer', () => {
  it('PAY-12 is answered to its buyer, under whatever sale is asked for, with the offer’s amount', async () => {
    const { saleId } = await acceptedSale()
    const [event] = await acceptancesOf(stage, listingId)
    for (const type of [SaleType.OFFER_ACCEPTED, SaleType.BUY_NOW]) {
      for (const asked of [saleId, newId()]) {
        const answer = await hold(type, buyer, asked)
        if (answer.case !== 'held') throw new Error(answer.case)
        expect(answer.value).toMatchObject({
          saleId,
          saleType: SaleType.OFFER_ACCEPTED,
          terms: { priceCents: 2000, shippingCents: 450 },
        })
        expect(answer.value.dueAt && timestampDate(answer.value.dueAt).toISOString()).toBe(event?.['dueAt'])
      }
    }
    expect(await liveHoldsOf(stage, listingId)).toHaveLength(1)
  })

  it.each([
    ['another buyer', SaleType.OFFER_ACCEPTED, () => someone('Carol')],
    ['the seller', SaleType.OFFER_ACCEPTED, () => seller],
    ['its buyer as an auction’s winner', SaleType.AUCTION_WIN, () => buyer],
  ])('is nothing to %s', async (_name, type, who) => {
    await acceptedSale()
    expect(await hold(type, who())).toMatchObject({ case: 'refused', value: { code: 'not_found' } })
  })

  it('is nothing to a buyer who has the item otherwise', async () => {
    await hold(SaleType.BUY_NOW, buyer)
    expect(await hold(SaleType.OFFER_ACCEPTED, buyer)).toMatchObject({ value: { code: 'not_found' } })
  })

  it('reserves the item from all others', async () => {
    await acceptedSale()
    expect(await hold(SaleType.BUY_NOW, someone())).toMatchObject({ case: 'refused', value: { code: 'reserved' } })
  })

  const sell: [string, (saleId: string) => Promise<unknown>][] = [
    ['the call', (saleId) => settle(saleId, SettleOutcome.SOLD)],
    ['the event', (saleId) => stage.deliver(PaymentSucceededSchema, { saleId, listingId, owner: Owner.CATALOG })],
  ]
  it.each(sell)('once paid, by %s, ends the listing and its other pending offers', async (_name, pay) => {
    const carols = await offerOn(stage, listingId, someone('Carol'))
    const lapsed = await offerOn(stage, listingId, someone('Dora'))
    await stage.rows(`update offers set expires_at = clock_timestamp() where id = $1`, [lapsed])
    const elsewhere = await offerOn(stage, await stage.list(), someone('Carol'))
    const { offerId, saleId } = await acceptedSale()
    await pay(saleId)
    await pay(saleId)
    const shown = new Map((await offersOf(stage, seller)).map(({ id, status }) => [id, status]))
    expect([offerId, carols, lapsed, elsewhere].map((id) => shown.get(id))).toEqual([
      'accepted',
      'rejected',
      'withdrawn',
      'pending',
    ])
    expect((await stage.get(`/api/listings/${listingId}`)).body['is_active']).toBe(false)
    expect(await hold(SaleType.OFFER_ACCEPTED, buyer)).toMatchObject({ value: { code: 'already_paid' } })
  })

  it('unpaid, is over with its offer, and the listing is open again', async () => {
    const { offerId, saleId } = await acceptedSale()
    for (let told = 0; told < 2; told += 1)
      await stage.deliver(SaleReleasedSchema, { saleId, listingId, owner: Owner.CATALOG, reason: 'unpaid' })
    expect(await offersOf(stage, buyer)).toMatchObject([{ id: offerId, status: 'withdrawn' }])
    expect(statusIn(await accept(offerId))).toEqual([409, 'already_answered'])
    expect(await hold(SaleType.OFFER_ACCEPTED, buyer)).toMatchObject({ value: { code: 'not_found' } })
    expect(await hold(SaleType.BUY_NOW, buyer, saleId)).toMatchObject({ value: { code: 'sale_over' } })
    expect(await hold(SaleType.BUY_NOW, someone())).toMatchObject({
      case: 'held',
      value: { terms: { priceCents: 2499 } },
    })
  })

  it('ends the same whichever of paid and released is told first', async () => {
    for (const outcomes of [
      [SettleOutcome.SOLD, SettleOutcome.RELEASED],
      [SettleOutcome.RELEASED, SettleOutcome.SOLD],
    ]) {
      listingId = await stage.list()
      const { saleId } = await acceptedSale()
      for (const outcome of [...outcomes, ...outcomes]) await settle(saleId, outcome)
      expect(await statusesOf(stage, listingId)).toEqual(['buyer accepted'])
      expect(await liveHoldsOf(stage, listingId)).toMatchObject([{ sale_id: saleId, state: 'sold' }])
    }
  })
})
