import {
  PaymentSucceededSchema,
  SaleReleasedSchema,
} from '@marketplace/contracts/gen/marketplace/payments/v1/payments_pb.ts'
import { Owner, SaleType, SettleOutcome } from '@marketplace/contracts/gen/marketplace/sales/v1/sales_pb.ts'
import { toJson } from '@bufbuild/protobuf'
import { TimestampSchema } from '@bufbuild/protobuf/wkt'
import { newId } from '@marketplace/kit/values/ids.ts'
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
  listingId = await harness.createListing({ shipping_cost: 4.5 })
})

const accept = (id: string) => actOnOffer(harness, id, 'accept', { as: seller })
const hold = async (saleType: SaleType, as: TestUser, saleId = newId()) =>
  (await harness.sales.hold({ saleId, listingId, buyerId: as.userId, saleType })).answer
const settle = (saleId: string, outcome: SettleOutcome) => harness.sales.settle({ saleId, listingId, outcome })

async function acceptedSale(): Promise<{ offerId: string; saleId: string }> {
  const offerId = await createOffer(harness, listingId, buyer)
  await accept(offerId)
  const [live] = await readLiveHolds(harness, listingId)
  return { offerId, saleId: String(live?.['sale_id']) }
}

describe('the sale of an accepted offer', () => {
  it('PAY-12 is returned to its buyer with the offer’s amount, whatever sale id is requested', async () => {
    const { saleId } = await acceptedSale()
    const [event] = await readOfferAcceptedEvents(harness, listingId)
    for (const type of [SaleType.OFFER_ACCEPTED, SaleType.BUY_NOW]) {
      for (const requestedId of [saleId, newId()]) {
        const answer = await hold(type, buyer, requestedId)
        if (answer.case !== 'held') throw new Error(answer.case)
        expect(answer.value).toMatchObject({
          saleId,
          saleType: SaleType.OFFER_ACCEPTED,
          terms: { priceCents: 2000, shippingCents: 450 },
        })
        expect(answer.value.dueAt && toJson(TimestampSchema, answer.value.dueAt)).toBe(event?.['dueAt'])
      }
    }
    expect(await readLiveHolds(harness, listingId)).toHaveLength(1)
  })

  it.each([
    ['another buyer', SaleType.OFFER_ACCEPTED, () => randomUser('Carol')],
    ['the seller', SaleType.OFFER_ACCEPTED, () => seller],
    ['its buyer as the winner of an auction', SaleType.AUCTION_WIN, () => buyer],
  ])('is not returned to %s', async (_name, type, who) => {
    await acceptedSale()
    expect(await hold(type, who())).toMatchObject({ case: 'refused', value: { code: 'not_found' } })
  })

  it('is not returned to a buyer who holds the item by a checkout', async () => {
    await hold(SaleType.BUY_NOW, buyer)
    expect(await hold(SaleType.OFFER_ACCEPTED, buyer)).toMatchObject({ value: { code: 'not_found' } })
  })

  it('rejects the checkouts of other buyers as reserved', async () => {
    await acceptedSale()
    expect(await hold(SaleType.BUY_NOW, randomUser())).toMatchObject({ case: 'refused', value: { code: 'reserved' } })
  })

  const payments: [string, (saleId: string) => Promise<unknown>][] = [
    ['the call', (saleId) => settle(saleId, SettleOutcome.SOLD)],
    ['the event', (saleId) => harness.applyEvent(PaymentSucceededSchema, { saleId, listingId, owner: Owner.CATALOG })],
  ]
  it.each(payments)('ends the listing and its other pending offers when it is paid by %s', async (_name, pay) => {
    const other = await createOffer(harness, listingId, randomUser('Carol'))
    const expired = await createOffer(harness, listingId, randomUser('Dora'))
    await harness.rows(`update offers set expires_at = clock_timestamp() where id = $1`, [expired])
    const elsewhere = await createOffer(harness, await harness.createListing(), randomUser('Carol'))
    const { offerId, saleId } = await acceptedSale()
    await pay(saleId)
    await pay(saleId)
    const shown = new Map((await readOffers(harness, seller)).map(({ id, status }) => [id, status]))
    expect([offerId, other, expired, elsewhere].map((id) => shown.get(id))).toEqual([
      'accepted',
      'rejected',
      'withdrawn',
      'pending',
    ])
    expect((await harness.get(`/api/listings/${listingId}`)).body['is_active']).toBe(false)
    expect(await hold(SaleType.OFFER_ACCEPTED, buyer)).toMatchObject({ value: { code: 'already_paid' } })
  })

  it('ends with its offer when it is released, and the listing is available again', async () => {
    const { offerId, saleId } = await acceptedSale()
    for (let delivery = 0; delivery < 2; delivery += 1)
      await harness.applyEvent(SaleReleasedSchema, { saleId, listingId, owner: Owner.CATALOG, reason: 'unpaid' })
    expect(await readOffers(harness, buyer)).toMatchObject([{ id: offerId, status: 'withdrawn' }])
    expect(await accept(offerId)).toMatchObject({ status: 409, body: { code: 'already_answered' } })
    expect(await hold(SaleType.OFFER_ACCEPTED, buyer)).toMatchObject({ value: { code: 'not_found' } })
    expect(await hold(SaleType.BUY_NOW, buyer, saleId)).toMatchObject({ value: { code: 'sale_over' } })
    expect(await hold(SaleType.BUY_NOW, randomUser())).toMatchObject({
      case: 'held',
      value: { terms: { priceCents: 2499 } },
    })
  })

  it('ends as sold whichever of payment and release is applied first', async () => {
    for (const outcomes of [
      [SettleOutcome.SOLD, SettleOutcome.RELEASED],
      [SettleOutcome.RELEASED, SettleOutcome.SOLD],
    ]) {
      listingId = await harness.createListing()
      const { saleId } = await acceptedSale()
      for (const outcome of [...outcomes, ...outcomes]) await settle(saleId, outcome)
      expect(await readOfferStatuses(harness, listingId)).toEqual(['buyer accepted'])
      expect(await readLiveHolds(harness, listingId)).toMatchObject([{ sale_id: saleId, state: 'sold' }])
    }
  })
})
