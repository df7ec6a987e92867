import { newId } from '@marketplace/kit/ids.ts'
import type { Service } from '@marketplace/kit/service.ts'
import { someone } from '@marketplace/testing/keys.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buy, call, cancel, confirm, openCheckout } from '../testing/calls.ts'
import { declinedCard } from '../testing/card-network.ts'
import { captured, eventsOf, ledgerOf, statesOf } from '../testing/ledger.ts'
import { startStand, type Stand } from '../testing/stand.ts'

let stand: Stand
let service: Service
const instant = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/

beforeAll(async () => {
  stand = await startStand()
  service = stand.open()
})
afterAll(() => stand.stop())

const createIntent = (body: object) => call(stand, service, someone(), ['POST', '/api/payments/create-intent', body])

describe('the configuration of the card form', () => {
  it('PAY-01 H6 answers the publishable key, signed out too', async () => {
    expect(await call(stand, service, null, ['GET', '/api/stripe/config'])).toEqual({
      status: 200,
      body: { publishable_key: 'pk_test_payments', api_base: stand.cards.url },
    })
  })

  it('PAY-01 names no address where the provider is the real one', async () => {
    const production = stand.open({ STRIPE_API_BASE: undefined })
    const { body } = await call(stand, production, null, ['GET', '/api/stripe/config'])
    expect(body).toEqual({ publishable_key: 'pk_test_payments', api_base: null })
  })
})

describe('a checkout', () => {
  it('PAY-02 PAY-04 answers the intent with its amounts in cents', async () => {
    const { listingId } = stand.catalog.addItem({ priceCents: 1999, shippingCents: 450 })
    const before = Date.now()
    const { status, body } = await buy(stand, service, someone(), listingId)
    expect({ status, body }).toEqual({
      status: 201,
      body: {
        client_secret: expect.stringMatching(/^pi_.+_secret_.+/),
        amount: 2549,
        sale_price: 1999,
        transaction_fee: 100,
        shipping_cost: 450,
        payment_intent_id: expect.stringMatching(/^pi_/),
        expires_at: expect.stringMatching(instant),
      },
    })
    const keptMs = new Date(body['expires_at'] ?? '').getTime() - before
    expect(keptMs).toBeGreaterThan(9 * 60_000)
    expect(keptMs).toBeLessThan(11 * 60_000)
  })

  it('PAY-02 charges the provider exactly that, for that sale', async () => {
    const { listingId } = stand.catalog.addItem()
    const intent = await openCheckout(stand, service, someone(), listingId)
    const charged = await stand.cards.stripe.paymentIntents.retrieve(intent.payment_intent_id)
    const { id } = await stand.db
      .selectFrom('transactions')
      .select('id')
      .where('listing_id', '=', listingId)
      .executeTakeFirstOrThrow()
    expect(charged).toMatchObject({ amount: 2549, currency: 'usd', metadata: { sale: id } })
    expect(stand.cards.seen).toContainEqual({ method: 'POST', path: '/v1/payment_intents', key: `${id}:intent` })
  })

  it('PAY-17 completes by a confirmation, with every field of the stored transaction', async () => {
    const { listingId, sellerId } = stand.catalog.addItem()
    const buyer = someone()
    const intent = await openCheckout(stand, service, buyer, listingId)
    await stand.cards.pay(intent)
    const confirmed = await confirm(stand, service, buyer, intent)
    expect(confirmed).toEqual({
      status: 200,
      body: {
        id: expect.any(String),
        listing_id: listingId,
        buyer_id: buyer.userId,
        seller_id: sellerId,
        sale_price: 1999,
        transaction_fee: 100,
        seller_amount: 1899,
        transaction_type: 'buy_now',
        status: 'completed',
        payment_method: 'card',
        created_at: expect.stringMatching(instant),
        updated_at: expect.stringMatching(instant),
      },
    })
    expect(await confirm(stand, service, buyer, intent)).toEqual(confirmed)
    expect(await ledgerOf(stand, listingId)).toEqual(captured)
    expect(await eventsOf(stand, listingId)).toEqual(['PaymentSucceeded'])
    expect(stand.catalog.holds.get(confirmed.body['id'] ?? '')?.state).toBe('sold')
  })

  it('PAY-17 may be taken up with another card after a declined one', async () => {
    const { listingId } = stand.catalog.addItem()
    const buyer = someone()
    const intent = await openCheckout(stand, service, buyer, listingId)
    expect(await stand.cards.pay(intent, declinedCard)).toBe(402)
    expect(await confirm(stand, service, buyer, intent)).toMatchObject({ status: 409, body: { code: 'not_paid' } })
    expect(await statesOf(stand, listingId)).toEqual(['payable'])
    expect(await ledgerOf(stand, listingId)).toEqual([])
    await stand.cards.pay(intent)
    expect(await confirm(stand, service, buyer, intent)).toMatchObject({ status: 200, body: { status: 'completed' } })
  })

  it('answers the same open intent when it is asked for again', async () => {
    const { listingId } = stand.catalog.addItem()
    const buyer = someone()
    const first = await buy(stand, service, buyer, listingId)
    expect(await buy(stand, service, buyer, listingId)).toEqual(first)
  })

  it('does not charge a buyer twice who presses again after the payment', async () => {
    const { listingId } = stand.catalog.addItem()
    const buyer = someone()
    const intent = await openCheckout(stand, service, buyer, listingId)
    await stand.cards.pay(intent)
    expect(await buy(stand, service, buyer, listingId)).toMatchObject({ status: 409, body: { code: 'already_paid' } })
    expect(await ledgerOf(stand, listingId)).toEqual(captured)
    expect(await buy(stand, service, buyer, listingId)).toMatchObject({ status: 409, body: { code: 'sold' } })
  })
})

describe('a refused checkout', () => {
  it('PAY-12 is 403 on an own listing and leaves nothing behind', async () => {
    const { listingId, sellerId } = stand.catalog.addItem()
    const answer = await buy(stand, service, { userId: sellerId, name: 'Olga' }, listingId)
    expect(answer).toMatchObject({ status: 403, body: { code: 'own_listing' } })
    expect(await statesOf(stand, listingId)).toEqual(['released'])
    expect(await call(stand, service, { userId: sellerId, name: 'Olga' }, ['GET', '/api/transactions'])).toEqual({
      status: 200,
      body: [],
    })
  })

  it('PAY-12 is 409 on a sold listing', async () => {
    const { listingId } = stand.catalog.addItem()
    const buyer = someone()
    const intent = await openCheckout(stand, service, buyer, listingId)
    await stand.cards.pay(intent)
    await confirm(stand, service, buyer, intent)
    expect(await buy(stand, service, someone('Bob'), listingId)).toMatchObject({ status: 409, body: { code: 'sold' } })
  })

  it('PAY-12 is 401 signed out, for every closed call', async () => {
    const calls = [
      ['POST', '/api/payments/create-intent', {}],
      ['POST', '/api/payments/confirm', {}],
      ['POST', '/api/payments/cancel', {}],
      ['GET', '/api/transactions'],
    ] as ['GET' | 'POST', string, object?][]
    const answers = await Promise.all(calls.map((request) => call(stand, service, null, request)))
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401])
  })

  it('is 404 for a listing that does not exist, 409 while another buyer has it', async () => {
    expect(await buy(stand, service, someone(), newId())).toMatchObject({ status: 404 })
    const { listingId } = stand.catalog.addItem()
    await openCheckout(stand, service, someone(), listingId)
    expect(await buy(stand, service, someone('Bob'), listingId)).toMatchObject({
      status: 409,
      body: { code: 'reserved', error: expect.any(String) },
    })
  })

  const bodies: [string, object][] = [
    ['no listing', { transaction_type: 'buy_now' }],
    ['no type', { listing_id: newId() }],
    ['an unknown type', { listing_id: newId(), transaction_type: 'gift' }],
    ['a listing id of another form', { listing_id: '12', transaction_type: 'buy_now' }],
    ['a price of zero', { listing_id: newId(), transaction_type: 'buy_now', sale_price: 0 }],
    ['a negative price', { listing_id: newId(), transaction_type: 'buy_now', sale_price: -1 }],
    ['a price in text', { listing_id: newId(), transaction_type: 'buy_now', sale_price: '19.99' }],
    ['a price with a third decimal', { listing_id: newId(), transaction_type: 'buy_now', sale_price: 1.999 }],
  ]
  it.each(bodies)('PAY-14 is 400 with %s', async (_what, body) => {
    expect(await createIntent(body)).toMatchObject({ status: 400, body: { error: expect.any(String) } })
  })

  it('PAY-14 ignores a sale_price that is above zero', async () => {
    const { listingId } = stand.catalog.addItem({ priceCents: 1999 })
    const answer = await createIntent({ listing_id: listingId, transaction_type: 'buy_now', sale_price: 0.01 })
    expect(answer).toMatchObject({ status: 201, body: { sale_price: 1999 } })
  })

  it.each([
    ['too small', { priceCents: 20, shippingCents: 0 }],
    ['too large', { priceCents: 99_999_999, shippingCents: 0 }],
  ])('is 409 not_chargeable for an amount that is %s, and frees the item', async (_what, amounts) => {
    const { listingId } = stand.catalog.addItem(amounts)
    expect(await buy(stand, service, someone(), listingId)).toMatchObject({
      status: 409,
      body: { code: 'not_chargeable' },
    })
    expect(await statesOf(stand, listingId)).toEqual(['released'])
    expect(await eventsOf(stand, listingId)).toEqual(['SaleReleased'])
    expect([...stand.catalog.holds.values()].filter((hold) => hold.listingId === listingId)).toMatchObject([
      { state: 'released' },
    ])
  })
})

describe('a cancelled checkout', () => {
  it('frees the item once the provider has cancelled', async () => {
    const { listingId } = stand.catalog.addItem()
    const buyer = someone()
    const intent = await openCheckout(stand, service, buyer, listingId)
    const cancelled = await cancel(stand, service, buyer, intent)
    expect(cancelled).toMatchObject({ status: 200, body: { status: 'cancelled', listing_id: listingId } })
    expect(await cancel(stand, service, buyer, intent)).toEqual(cancelled)
    const atProvider = await stand.cards.stripe.paymentIntents.retrieve(intent.payment_intent_id)
    expect(atProvider.status).toBe('canceled')
    expect(await stand.cards.pay(intent)).toBe(400)
    expect(await confirm(stand, service, buyer, intent)).toMatchObject({ status: 409 })
    expect(await eventsOf(stand, listingId)).toEqual(['SaleReleased'])
    expect(await buy(stand, service, someone('Bob'), listingId)).toMatchObject({ status: 201 })
  })

  it('is 409 once it was paid, and the buyer has the item', async () => {
    const { listingId } = stand.catalog.addItem()
    const buyer = someone()
    const intent = await openCheckout(stand, service, buyer, listingId)
    await stand.cards.pay(intent)
    // Nobody has told us of the payment yet: the provider refuses to cancel.
    expect(await cancel(stand, service, buyer, intent)).toMatchObject({ status: 409, body: { code: 'already_paid' } })
    expect(await statesOf(stand, listingId)).toEqual(['paid'])
    expect(await ledgerOf(stand, listingId)).toEqual(captured)
    expect(await cancel(stand, service, buyer, intent)).toMatchObject({ status: 409, body: { code: 'already_paid' } })
  })
})

describe('the intent of somebody else', () => {
  it('is 404 to confirm and to cancel, for the seller too', async () => {
    const { listingId, sellerId } = stand.catalog.addItem()
    const intent = await openCheckout(stand, service, someone(), listingId)
    await stand.cards.pay(intent)
    for (const other of [someone('Bob'), { userId: sellerId, name: 'Olga' }]) {
      expect(await confirm(stand, service, other, intent)).toMatchObject({ status: 404 })
      expect(await cancel(stand, service, other, intent)).toMatchObject({ status: 404 })
    }
    expect(await statesOf(stand, listingId)).toEqual(['payable'])
  })

  it('is 404 when it does not exist and 400 when it is no id', async () => {
    const unknown = { payment_intent_id: 'pi_unknown', client_secret: '' }
    expect(await confirm(stand, service, someone(), unknown)).toMatchObject({ status: 404 })
    const nul = { payment_intent_id: `pi_${String.fromCodePoint(0)}`, client_secret: '' }
    expect(await confirm(stand, service, someone(), nul)).toMatchObject({ status: 400 })
    expect(await cancel(stand, service, someone(), { payment_intent_id: '', client_secret: '' })).toMatchObject({
      status: 400,
    })
  })
})
