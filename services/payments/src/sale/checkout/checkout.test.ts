import { newId } from '@marketplace/kit/values/ids.ts'
import type { Service } from '@marketplace/kit/app/service.ts'
import { randomUser } from '@marketplace/testing/keys.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buy, call, cancel, confirm, openCheckout } from '../../testing/calls.ts'
import { declinedCard } from '../../testing/fake-card-network.ts'
import { captureEntries, eventsOf, ledgerOf, statesOf } from '../../testing/ledger.ts'
import { createHarness, type Harness } from '../../testing/harness.ts'

let harness: Harness
let service: Service
const instant = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/

beforeAll(async () => {
  harness = await createHarness()
  service = harness.open()
})
afterAll(() => harness.stop())

const createIntent = (body: object) =>
  call(harness, service, randomUser(), ['POST', '/api/payments/create-intent', body])

describe('the configuration of the checkout', () => {
  it('PAY-01 H6 returns the publishable key, also without a session', async () => {
    expect(await call(harness, service, null, ['GET', '/api/stripe/config'])).toEqual({
      status: 200,
      body: { publishable_key: 'pk_test_payments', api_base: harness.cards.url, fee_basis_points: 500 },
    })
  })

  it('PAY-01 returns no API address when the provider is Stripe', async () => {
    const production = harness.open({ STRIPE_API_BASE: undefined })
    const { body } = await call(harness, production, null, ['GET', '/api/stripe/config'])
    expect(body).toEqual({ publishable_key: 'pk_test_payments', api_base: null, fee_basis_points: 500 })
  })
})

describe('a checkout', () => {
  it('PAY-02 PAY-04 returns the intent with its amounts in cents', async () => {
    const { listingId } = harness.catalog.addItem({ priceCents: 1999, shippingCents: 450 })
    const before = Date.now()
    const { status, body } = await buy(harness, service, randomUser(), listingId)
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
    const heldMs = new Date(body['expires_at'] ?? '').getTime() - before
    expect(heldMs).toBeGreaterThan(9 * 60_000)
    expect(heldMs).toBeLessThan(11 * 60_000)
  })

  it('keeps the rate of the fee with which its sale was held', async () => {
    const { listingId } = harness.catalog.addItem({ priceCents: 1999, shippingCents: 450 })
    const buyer = randomUser()
    const first = await buy(harness, service, buyer, listingId)
    const changed = harness.open({ FEE_BASIS_POINTS: 725 })
    const { body: config } = await call(harness, changed, null, ['GET', '/api/stripe/config'])
    const again = await buy(harness, changed, buyer, listingId)
    const other = await buy(
      harness,
      changed,
      buyer,
      harness.catalog.addItem({ priceCents: 1999, shippingCents: 450 }).listingId,
    )

    expect(config['fee_basis_points']).toBe(725)
    expect(again.body['payment_intent_id']).toBe(first.body['payment_intent_id'])
    expect([again.body['transaction_fee'], again.body['amount']]).toEqual([100, 2549])
    expect([other.body['transaction_fee'], other.body['amount']]).toEqual([145, 2594])
  })

  it('PAY-02 creates the intent with this amount for this sale', async () => {
    const { listingId } = harness.catalog.addItem()
    const intent = await openCheckout(harness, service, randomUser(), listingId)
    const charged = await harness.cards.stripe.paymentIntents.retrieve(intent.payment_intent_id)
    const { id } = await harness.db
      .selectFrom('transactions')
      .select('id')
      .where('listing_id', '=', listingId)
      .executeTakeFirstOrThrow()
    expect(charged).toMatchObject({ amount: 2549, currency: 'usd', metadata: { sale: id } })
    expect(harness.cards.requests).toContainEqual({ method: 'POST', path: '/v1/payment_intents', key: `${id}:intent2` })
  })

  it('PAY-17 completes with a confirmation that returns every field of the stored transaction', async () => {
    const { listingId, sellerId } = harness.catalog.addItem()
    const buyer = randomUser()
    const intent = await openCheckout(harness, service, buyer, listingId)
    await harness.cards.pay(intent)
    const confirmed = await confirm(harness, service, buyer, intent)
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
    expect(await confirm(harness, service, buyer, intent)).toEqual(confirmed)
    expect(await ledgerOf(harness, listingId)).toEqual(captureEntries)
    expect(await eventsOf(harness, listingId)).toEqual(['PaymentSucceeded'])
    expect(harness.catalog.holds.get(confirmed.body['id'] ?? '')?.state).toBe('sold')
  })

  it('PAY-17 can be paid with another card after a declined one', async () => {
    const { listingId } = harness.catalog.addItem()
    const buyer = randomUser()
    const intent = await openCheckout(harness, service, buyer, listingId)
    expect(await harness.cards.pay(intent, declinedCard)).toBe(402)
    expect(await confirm(harness, service, buyer, intent)).toMatchObject({ status: 409, body: { code: 'not_paid' } })
    expect(await statesOf(harness, listingId)).toEqual(['payable'])
    expect(await ledgerOf(harness, listingId)).toEqual([])
    await harness.cards.pay(intent)
    expect(await confirm(harness, service, buyer, intent)).toMatchObject({ status: 200, body: { status: 'completed' } })
  })

  it('returns the same open intent when it is requested again', async () => {
    const { listingId } = harness.catalog.addItem()
    const buyer = randomUser()
    const first = await buy(harness, service, buyer, listingId)
    expect(await buy(harness, service, buyer, listingId)).toEqual(first)
  })

  it('does not charge the buyer twice when the request is repeated after the payment', async () => {
    const { listingId } = harness.catalog.addItem()
    const buyer = randomUser()
    const intent = await openCheckout(harness, service, buyer, listingId)
    await harness.cards.pay(intent)
    expect(await buy(harness, service, buyer, listingId)).toMatchObject({ status: 409, body: { code: 'already_paid' } })
    expect(await ledgerOf(harness, listingId)).toEqual(captureEntries)
    expect(await buy(harness, service, buyer, listingId)).toMatchObject({ status: 409, body: { code: 'sold' } })
  })
})

describe('a rejected checkout', () => {
  it('PAY-12 returns 403 for the buyer’s own listing and leaves no transaction', async () => {
    const { listingId, sellerId } = harness.catalog.addItem()
    const response = await buy(harness, service, { userId: sellerId, name: 'Olga' }, listingId)
    expect(response).toMatchObject({ status: 403, body: { code: 'own_listing' } })
    expect(await statesOf(harness, listingId)).toEqual(['released'])
    expect(await call(harness, service, { userId: sellerId, name: 'Olga' }, ['GET', '/api/transactions'])).toEqual({
      status: 200,
      body: [],
    })
  })

  it('PAY-12 returns 409 for a sold listing', async () => {
    const { listingId } = harness.catalog.addItem()
    const buyer = randomUser()
    const intent = await openCheckout(harness, service, buyer, listingId)
    await harness.cards.pay(intent)
    await confirm(harness, service, buyer, intent)
    expect(await buy(harness, service, randomUser('Bob'), listingId)).toMatchObject({
      status: 409,
      body: { code: 'sold' },
    })
  })

  it('PAY-12 returns 401 without a session on every protected route', async () => {
    const calls = [
      ['POST', '/api/payments/create-intent', {}],
      ['POST', '/api/payments/confirm', {}],
      ['POST', '/api/payments/cancel', {}],
      ['GET', '/api/transactions'],
    ] as ['GET' | 'POST', string, object?][]
    const responses = await Promise.all(calls.map((request) => call(harness, service, null, request)))
    expect(responses.map(({ status }) => status)).toEqual([401, 401, 401, 401])
  })

  it('returns 404 for an unknown listing and 409 while another buyer holds it', async () => {
    expect(await buy(harness, service, randomUser(), newId())).toMatchObject({ status: 404 })
    const { listingId } = harness.catalog.addItem()
    await openCheckout(harness, service, randomUser(), listingId)
    expect(await buy(harness, service, randomUser('Bob'), listingId)).toMatchObject({
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
  it.each(bodies)('PAY-14 returns 400 with %s', async (_what, body) => {
    expect(await createIntent(body)).toMatchObject({ status: 400, body: { error: expect.any(String) } })
  })

  it('PAY-14 ignores a sale_price above zero', async () => {
    const { listingId } = harness.catalog.addItem({ priceCents: 1999 })
    const response = await createIntent({ listing_id: listingId, transaction_type: 'buy_now', sale_price: 0.01 })
    expect(response).toMatchObject({ status: 201, body: { sale_price: 1999 } })
  })

  it.each([
    ['too small', { priceCents: 20, shippingCents: 0 }],
    ['too large', { priceCents: 99_999_999, shippingCents: 0 }],
  ])('returns 409 not_chargeable for an amount that is %s, and releases the item', async (_what, amounts) => {
    const { listingId } = harness.catalog.addItem(amounts)
    expect(await buy(harness, service, randomUser(), listingId)).toMatchObject({
      status: 409,
      body: { code: 'not_chargeable' },
    })
    expect(await statesOf(harness, listingId)).toEqual(['released'])
    expect(await eventsOf(harness, listingId)).toEqual(['SaleReleased'])
    expect([...harness.catalog.holds.values()].filter((hold) => hold.listingId === listingId)).toMatchObject([
      { state: 'released' },
    ])
  })
})

describe('a cancelled checkout', () => {
  it('releases the item once the provider has canceled the intent', async () => {
    const { listingId } = harness.catalog.addItem()
    const buyer = randomUser()
    const intent = await openCheckout(harness, service, buyer, listingId)
    const cancelled = await cancel(harness, service, buyer, intent)
    expect(cancelled).toMatchObject({ status: 200, body: { status: 'cancelled', listing_id: listingId } })
    expect(await cancel(harness, service, buyer, intent)).toEqual(cancelled)
    const atProvider = await harness.cards.stripe.paymentIntents.retrieve(intent.payment_intent_id)
    expect(atProvider.status).toBe('canceled')
    expect(await harness.cards.pay(intent)).toBe(400)
    expect(await confirm(harness, service, buyer, intent)).toMatchObject({ status: 409 })
    expect(await eventsOf(harness, listingId)).toEqual(['SaleReleased'])
    expect(await buy(harness, service, randomUser('Bob'), listingId)).toMatchObject({ status: 201 })
  })

  it('returns 409 once it is paid, and the buyer has the item', async () => {
    const { listingId } = harness.catalog.addItem()
    const buyer = randomUser()
    const intent = await openCheckout(harness, service, buyer, listingId)
    await harness.cards.pay(intent)
    // The provider rejects the cancellation, although the payments service does not know of the payment yet.
    expect(await cancel(harness, service, buyer, intent)).toMatchObject({ status: 409, body: { code: 'already_paid' } })
    expect(await statesOf(harness, listingId)).toEqual(['paid'])
    expect(await ledgerOf(harness, listingId)).toEqual(captureEntries)
    expect(await cancel(harness, service, buyer, intent)).toMatchObject({ status: 409, body: { code: 'already_paid' } })
  })
})

describe('an intent of another buyer', () => {
  it('returns 404 on confirm and cancel, also for the seller', async () => {
    const { listingId, sellerId } = harness.catalog.addItem()
    const intent = await openCheckout(harness, service, randomUser(), listingId)
    await harness.cards.pay(intent)
    for (const other of [randomUser('Bob'), { userId: sellerId, name: 'Olga' }]) {
      expect(await confirm(harness, service, other, intent)).toMatchObject({ status: 404 })
      expect(await cancel(harness, service, other, intent)).toMatchObject({ status: 404 })
    }
    expect(await statesOf(harness, listingId)).toEqual(['payable'])
  })

  it('returns 404 when it does not exist and 400 when the id is invalid', async () => {
    const unknown = { payment_intent_id: 'pi_unknown', client_secret: '' }
    expect(await confirm(harness, service, randomUser(), unknown)).toMatchObject({ status: 404 })
    const nul = { payment_intent_id: `pi_${String.fromCodePoint(0)}`, client_secret: '' }
    expect(await confirm(harness, service, randomUser(), nul)).toMatchObject({ status: 400 })
    expect(await cancel(harness, service, randomUser(), { payment_intent_id: '', client_secret: '' })).toMatchObject({
      status: 400,
    })
  })
})
