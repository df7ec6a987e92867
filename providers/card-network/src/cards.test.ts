import { Stripe } from 'stripe'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TestNetwork } from '@marketplace/tests/support/card-network.ts'

let network: TestNetwork
beforeAll(async () => {
  network = await TestNetwork.start()
})
afterAll(() => network.stop())

const failure = (call: Promise<unknown>) =>
  call.then(
    () => undefined,
    (error: Stripe.errors.StripeError) => ({
      status: error.statusCode,
      type: error.type,
      code: error.code,
      param: error.param,
    }),
  )

describe('creating an intent', () => {
  it('returns it with its metadata and a client secret', async () => {
    const intent = await network.create()
    expect(intent).toMatchObject({
      amount: 2549,
      currency: 'usd',
      status: 'requires_payment_method',
      metadata: { sale_id: 's1' },
      livemode: false,
    })
    expect(intent.client_secret).toMatch(new RegExp(`^${intent.id}_secret_`))
    expect(await network.stripe.paymentIntents.retrieve(intent.id)).toMatchObject({
      id: intent.id,
      metadata: { sale_id: 's1' },
    })
  })

  it('returns one intent per idempotency key, and rejects other parameters with the same key', async () => {
    const [first, second] = await Promise.all([network.create(900, 'k1'), network.create(900, 'k1')])
    expect(second.id).toBe(first.id)
    expect(await failure(network.create(901, 'k1'))).toMatchObject({
      status: 400,
      type: 'StripeIdempotencyError',
    })
  })

  it.each([
    [49, 'amount_too_small'],
    [100_000_000, 'amount_too_large'],
  ])('rejects %i cents as %s', async (amount, code) => {
    expect(await failure(network.create(amount))).toEqual({
      status: 400,
      type: 'StripeInvalidRequestError',
      code,
      param: 'amount',
    })
  })

  it('rejects an unknown intent and a wrong key', async () => {
    expect(await failure(network.stripe.paymentIntents.retrieve('pi_none'))).toMatchObject({
      status: 404,
      code: 'resource_missing',
    })
    const otherAccount = new Stripe('sk_test_other', { host: '127.0.0.1', port: network.port, protocol: 'http' })
    expect(await failure(otherAccount.paymentIntents.retrieve('pi_none'))).toMatchObject({
      status: 401,
      type: 'StripeAuthenticationError',
    })
  })
})

describe('confirming in the browser', () => {
  it('charges a good card, once', async () => {
    const intent = await network.create()
    const { status, body } = await network.confirm(intent, '4242 4242 4242 4242')
    expect({ status, state: body['status'], metadata: body['metadata'] }).toEqual({
      status: 200,
      state: 'succeeded',
      metadata: undefined,
    })
    expect(await network.stripe.paymentIntents.retrieve(intent.id)).toMatchObject({
      status: 'succeeded',
      amount_received: 2549,
    })
    expect((await network.confirm(intent, '4242424242424242')).body.error).toMatchObject({
      code: 'payment_intent_unexpected_state',
    })
    expect(await failure(network.stripe.paymentIntents.cancel(intent.id))).toMatchObject({
      status: 400,
      code: 'payment_intent_unexpected_state',
    })
  })

  it('declines a card, and accepts another one afterwards', async () => {
    const intent = await network.create()
    const declined = await network.confirm(intent, '4000000000000002')
    expect(declined).toMatchObject({
      status: 402,
      body: {
        error: {
          type: 'card_error',
          code: 'card_declined',
          decline_code: 'generic_decline',
          message: 'Your card was declined.',
          payment_intent: { status: 'requires_payment_method' },
        },
      },
    })
    expect(await network.stripe.paymentIntents.retrieve(intent.id)).toMatchObject({
      status: 'requires_payment_method',
      last_payment_error: { code: 'card_declined' },
    })
    expect((await network.confirm(intent, '4242424242424242')).body['status']).toBe('succeeded')
  })

  it('cancels the intent at the eleventh confirmation, whatever the card', async () => {
    const intent = await network.create()
    for (let confirmations = 0; confirmations < 10; confirmations++)
      expect((await network.confirm(intent, '4000000000000002')).status).toBe(402)
    expect(await network.confirm(intent, '4242424242424242')).toMatchObject({
      status: 400,
      body: { error: { code: 'payment_intent_unexpected_state', payment_intent: { status: 'canceled' } } },
    })
    expect(await network.stripe.paymentIntents.retrieve(intent.id)).toMatchObject({
      status: 'canceled',
      cancellation_reason: 'automatic',
      amount_received: 0,
    })
  })

  it.each([
    ['succeed', 'succeeded'],
    ['fail', 'requires_payment_method'],
  ])('requires authentication, which can %s', async (outcome, status) => {
    const intent = await network.create()
    const confirmed = await network.confirm(intent, '4000002500003155')
    const path = `/v1/payment_intents/${intent.id}/authenticate`
    expect(confirmed.body).toMatchObject({
      status: 'requires_action',
      next_action: { type: 'use_stripe_sdk', use_stripe_sdk: { authenticate_path: path } },
    })
    expect((await network.browser(path, { client_secret: String(intent.client_secret), outcome })).body['status']).toBe(
      status,
    )
  })

  it.each([
    ['4242424242424241', {}, 'incorrect_number', 'number'],
    ['12', {}, 'invalid_number', 'number'],
    ['4242424242424242', { 'payment_method_data[card][exp_year]': '2019' }, 'invalid_expiry_year', 'exp_year'],
    ['4242424242424242', { 'payment_method_data[card][exp_month]': '13' }, 'invalid_expiry_month', 'exp_month'],
    ['4242424242424242', { 'payment_method_data[card][cvc]': '1' }, 'invalid_cvc', 'cvc'],
  ])('rejects the card %s with %o as %s', async (number, more, code, param) => {
    expect(await network.confirm(await network.create(), number, more)).toMatchObject({
      status: 402,
      body: { error: { type: 'card_error', code, param } },
    })
  })

  it('requires the client secret of the intent, and cannot cancel', async () => {
    const [intent, other] = [await network.create(), await network.create()]
    const card = { client_secret: String(other.client_secret) }
    expect((await network.confirm(intent, '4242424242424242', card)).body.error).toMatchObject({
      param: 'client_secret',
    })
    expect((await network.browser(`/v1/payment_intents/${intent.id}/cancel`, {})).status).toBe(403)
  })

  it('is open to pages of other origins', async () => {
    const response = await fetch(`http://127.0.0.1:${network.port}/v1/payment_intents/pi_x/confirm`, {
      method: 'OPTIONS',
      headers: { origin: 'http://localhost:8080' },
    })
    expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([200, '*'])
  })
})

describe('cancelling and refunding', () => {
  it('cancels an unpaid intent, which then accepts no card', async () => {
    const intent = await network.create()
    expect(
      await network.stripe.paymentIntents.cancel(intent.id, {
        cancellation_reason: 'abandoned',
      } satisfies Stripe.PaymentIntentCancelParams),
    ).toMatchObject({
      status: 'canceled',
    })
    expect((await network.confirm(intent, '4242424242424242')).status).toBe(400)
    expect(await failure(network.stripe.paymentIntents.cancel(intent.id))).toMatchObject({
      code: 'payment_intent_unexpected_state',
    })
  })

  it('refunds a payment once', async () => {
    const intent = await network.create()
    expect(
      await failure(network.stripe.refunds.create({ payment_intent: intent.id } satisfies Stripe.RefundCreateParams)),
    ).toMatchObject({ status: 400 })
    await network.confirm(intent, '4242424242424242')
    const refund = await network.stripe.refunds.create(
      { payment_intent: intent.id } satisfies Stripe.RefundCreateParams,
      { idempotencyKey: 'r1' } satisfies Stripe.RequestOptions,
    )
    expect(refund).toMatchObject({ amount: 2549, status: 'succeeded', payment_intent: intent.id })
    expect(
      (
        await network.stripe.refunds.create(
          { payment_intent: intent.id } satisfies Stripe.RefundCreateParams,
          { idempotencyKey: 'r1' } satisfies Stripe.RequestOptions,
        )
      ).id,
    ).toBe(refund.id)
    expect(
      await failure(network.stripe.refunds.create({ payment_intent: intent.id } satisfies Stripe.RefundCreateParams)),
    ).toMatchObject({
      code: 'charge_already_refunded',
    })
  })
})

it('refuses to run in production', async () => {
  const rejected = network.launch({ NODE_ENV: 'production' })
  expect(await rejected.exited).toBe(1)
  expect(rejected.output()).toContain('NODE_ENV: is production')
})
