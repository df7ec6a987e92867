import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { AuctionClosedSchema, AuctionOutcome } from '@marketplace/contracts/gen/marketplace/auction/v1/auction_pb.ts'
import {
  PaymentSucceededSchema,
  SaleReleasedSchema,
} from '@marketplace/contracts/gen/marketplace/payments/v1/payments_pb.ts'
import { Owner, SaleType, SettleOutcome } from '@marketplace/contracts/gen/marketplace/sales/v1/sales_pb.ts'
import { newId } from '@marketplace/kit/values/ids.ts'
import { randomUser } from '@marketplace/testing/keys.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createHarness, type Harness } from '../../testing/harness.ts'
import { editListing, endListing, holdListing, readListingRow, sellListing } from '../../testing/life.ts'
import { actOnOffer, createOffer, postOffer } from '../../testing/offers.ts'

let harness: Harness

beforeAll(async () => {
  harness = await createHarness()
})
afterAll(() => harness.close())

const read = async (id: string, as = randomUser()) => (await harness.get(`/api/listings/${id}`, as)).body

describe('the status of a fixed-price listing', () => {
  it('LIFE-05 is reserved during a checkout, shown as held to its buyer only, and active after its release', async () => {
    const id = await harness.createListing()
    const buyer = randomUser()
    const held = await holdListing(harness, id, { buyerId: buyer.userId })
    expect(await read(id)).toMatchObject({
      status: 'reserved',
      reserved_until: null,
      is_active: true,
      is_held_by_you: false,
    })
    expect(await read(id, buyer)).toMatchObject({ is_held_by_you: true })
    expect(await readListingRow(harness, id)).toMatchObject({ version: 2, published: 'reserved' })
    const saleId = 'saleId' in held ? held.saleId : ''
    await harness.sales.settle({ saleId, listingId: id, outcome: SettleOutcome.RELEASED })
    expect(await readListingRow(harness, id)).toMatchObject({ status: 'active', version: 3, published: 'active' })
    expect(await read(id, buyer)).toMatchObject({ is_held_by_you: false })
  })

  it('LIFE-05 is reserved until the payment deadline of an accepted offer', async () => {
    const id = await harness.createListing()
    const offer = await createOffer(harness, id, randomUser())
    await actOnOffer(harness, offer, 'accept', { as: harness.seller })
    const [hold] = await harness.rows('select due_at from holds where listing_id = $1', [id])
    const due = hold?.['due_at']
    expect(await read(id)).toMatchObject({
      status: 'reserved',
      reserved_until: due instanceof Date && due.toISOString(),
    })
  })

  it('LIFE-05 is sold after the payment, even if the seller ended the listing after a release', async () => {
    const [sold, late] = [await harness.createListing(), await harness.createListing()]
    await sellListing(harness, sold)
    expect(await readListingRow(harness, sold)).toMatchObject({ status: 'sold', end_reason: 'sold', published: 'sold' })
    const held = await holdListing(harness, late)
    const sale = { saleId: 'saleId' in held ? held.saleId : '', listingId: late }
    await harness.sales.settle({ ...sale, outcome: SettleOutcome.RELEASED })
    await endListing(harness, late)
    await harness.sales.settle({ ...sale, outcome: SettleOutcome.SOLD })
    expect(await readListingRow(harness, late)).toMatchObject({ status: 'sold', end_reason: 'sold', published: 'sold' })
  })

  it('LIFE-05 selects a seller’s listings', async () => {
    const seller = randomUser()
    const create = async () =>
      String((await harness.postListing({ title: 'A', price: 5, category_id: 1 }, seller)).body['id'])
    const [active, reserved, sold, ended] = [await create(), await create(), await create(), await create()]
    await holdListing(harness, reserved)
    await sellListing(harness, sold)
    await endListing(harness, ended, { as: seller })
    for (const [status, id] of Object.entries({ active, reserved, sold, ended })) {
      const { body, headers } = await harness.get(`/api/users/me/listings?status=${status}&fields=card`, seller)
      expect([status, body, headers['x-total-count']]).toMatchObject([status, [{ id, status }], '4'])
    }
    expect((await harness.get('/api/users/me/listings?status=draft', seller)).status).toBe(400)
  })
})

describe('the status of an auction', () => {
  const closedAt = timestampFromDate(new Date('2026-01-01T00:00:00Z'))
  const dueAt = timestampFromDate(new Date('2026-01-03T00:00:00Z'))
  const close = (listingId: string, outcome: AuctionOutcome, won: object = {}) =>
    harness.applyEvent(AuctionClosedSchema, { listingId, outcome, number: 5n, closedAt, bidCount: 1, ...won })
  const sale = { owner: Owner.AUCTION, saleType: SaleType.AUCTION_WIN }

  const events = (listingId: string, saleId: string, buyerId: string) => ({
    won: () => close(listingId, AuctionOutcome.WON, { saleId, dueAt, winnerId: buyerId }),
    unsold: () => close(listingId, AuctionOutcome.NO_SALE),
    bought: () => close(listingId, AuctionOutcome.BUY_NOW),
    paid: () => harness.applyEvent(PaymentSucceededSchema, { ...sale, saleId, listingId, buyerId }),
    paidNow: () =>
      harness.applyEvent(PaymentSucceededSchema, { ...sale, saleType: SaleType.BUY_NOW, saleId, listingId, buyerId }),
    released: () => harness.applyEvent(SaleReleasedSchema, { ...sale, saleId, listingId, reason: 'unpaid' }),
  })

  it.each<[string, (keyof ReturnType<typeof events>)[], string]>([
    ['reserved for its winner', ['won'], 'reserved'],
    ['sold when the winner paid', ['won', 'paid'], 'sold'],
    ['sold when the payment is known first', ['paid', 'won'], 'sold'],
    ['ended when the winner did not pay', ['won', 'released'], 'ended'],
    ['ended when the release is known first', ['released', 'won'], 'ended'],
    ['ended without a sale', ['unsold'], 'ended'],
    ['sold by Buy It Now', ['bought', 'paidNow'], 'sold'],
    ['sold by Buy It Now when the payment is known first', ['paidNow', 'bought'], 'sold'],
    ['active after a Buy It Now payment that may be refused', ['paidNow'], 'active'],
  ])('LIFE-05 is %s, however often the events are applied', async (_case, order, status) => {
    const id = await harness.createAuction()
    const buyer = newId()
    const apply = events(id, newId(), buyer)
    for (const name of [...order, ...order]) await apply[name]()
    expect(await readListingRow(harness, id)).toMatchObject({
      status,
      published: status,
      is_active: status === 'active',
    })
    const [state] = await harness.rows('select buyer_id from auction_states where listing_id = $1', [id])
    const hasBuyer = order.some((name) => ['won', 'paid', 'paidNow'].includes(name))
    expect(state?.['buyer_id']).toBe(hasBuyer ? buyer : null)
  })
})

describe('an offer on a listing that was edited', () => {
  it('LIFE-12 is refused if the buyer saw an earlier version', async () => {
    const listing_id = await harness.createListing()
    await editListing(harness, listing_id, { price: 22 })
    const offer = (listing_version: number) =>
      postOffer(harness, randomUser(), { listing_id, listing_version, amount: 20 })
    const { status, body } = await offer(1)
    expect([status, body.code, body.error]).toEqual([
      409,
      'listing_changed',
      'The seller changed this listing. Review it before you buy.',
    ])
    expect((await offer(2)).status).toBe(201)
    expect((await offer(0)).status).toBe(400)
  })

  it('LIFE-08 can be accepted if only the price changed, at the shipping cost of the offer', async () => {
    const id = await harness.createListing({ shipping_cost: 4.5 })
    const offer = await createOffer(harness, id, randomUser())
    await editListing(harness, id, { price: 22 })
    expect((await actOnOffer(harness, offer, 'accept', { as: harness.seller })).status).toBe(200)
    const [hold] = await harness.rows('select terms_version, shipping_cents from holds where listing_id = $1', [id])
    expect(hold).toEqual({ terms_version: 2, shipping_cents: 450 })
  })

  it.each([{ title: 'Another' }, { shipping_cost: 9 }, { description: 'Broken' }])(
    'LIFE-08 cannot be accepted after the edit %j, but countered',
    async (edit) => {
      const id = await harness.createListing()
      const offer = await createOffer(harness, id, randomUser())
      await editListing(harness, id, edit)
      const { status, body } = await actOnOffer(harness, offer, 'accept', { as: harness.seller })
      expect([status, body.code]).toEqual([409, 'listing_changed'])
      const counter = await actOnOffer(harness, offer, 'counter', { as: harness.seller, body: { amount: 21 } })
      expect(counter.status).toBe(201)
    },
  )
})
