import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { once } from 'node:events'
import Stripe from 'stripe'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../ports.ts'
import { startProgram, type Program } from '../testing/program.ts'

const keys = { STRIPE_SECRET_KEY: 'sk_test_one', STRIPE_PUBLISHABLE_KEY: 'pk_test_one', STRIPE_WEBHOOK_SECRET: 'whsec_one' }
const folder = mkdtempSync(join(tmpdir(), 'marketplace-cards-'))
const main = new URL('./main.ts', import.meta.url).pathname
const received: Stripe.Event[] = []
const ANSWERS: number[] = []
let shop: Server
let port: number
let network: Program
let stripe: Stripe

function settings(): Record<string, string> {
  const address = shop.address()
  const shopPort = typeof address === 'object' && address ? address.port : 0
  return { ...keys, PORT: String(port), DATA_DIR: folder, WEBHOOK_URL: `http://127.0.0.1:${shopPort}/api/stripe/webhook` }
}

async function start(more: Record<string, string> = {}): Promise<void> {
  network = startProgram(main, { ...settings(), ...more })
  await network.answers(`http://127.0.0.1:${port}/v1/payment_intents`)
}

beforeAll(async () => {
  shop = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk)).on('end', () => {
      const event = stripe.webhooks.constructEvent(Buffer.concat(chunks), String(request.headers['stripe-signature']), keys.STRIPE_WEBHOOK_SECRET)
      const status = ANSWERS.shift() ?? 200
      received.push(event)
      response.writeHead(status).end()
    })
  }).listen(0, '127.0.0.1')
  await once(shop, 'listening')
  port = await freePort()
  stripe = new Stripe(keys.STRIPE_SECRET_KEY, { host: '127.0.0.1', port, protocol: 'http', maxNetworkRetries: 0 })
  await start()
}, 30_000)

afterAll(async () => {
  await network.stop()
  shop.close()
  rmSync(folder, { recursive: true, force: true })
})

const create = (amount = 2549, options: Stripe.RequestOptions = {}) =>
  stripe.paymentIntents.create({ amount, currency: 'usd', metadata: { sale_id: 's1' }, automatic_payment_methods: { enabled: true } }, options)

async function browser(path: string, fields: Record<string, string>): Promise<{ status: number; body: Record<string, unknown> & { error?: Record<string, unknown> } }> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'POST', body: new URLSearchParams({ key: keys.STRIPE_PUBLISHABLE_KEY, ...fields }), headers: { origin: 'http://localhost:8080' },
  })
  return { status: response.status, body: await response.json() }
}

function confirm(intent: Stripe.PaymentIntent, number: string, more: Record<string, string> = {}) {
  return browser(`/v1/payment_intents/${intent.id}/confirm`, {
    client_secret: String(intent.client_secret), 'payment_method_data[type]': 'card', 'payment_method_data[card][number]': number,
    'payment_method_data[card][exp_month]': '12', 'payment_method_data[card][exp_year]': '2040', 'payment_method_data[card][cvc]': '123', ...more,
  })
}

const failure = (call: Promise<unknown>) => call.then(() => undefined, (error: Stripe.errors.StripeError) => ({ status: error.statusCode, type: error.type, code: error.code, param: error.param }))
const eventsOf = (id: string) => received.filter((event) => 'id' in event.data.object && event.data.object.id === id)

afterEach(() => void ANSWERS.splice(0))

describe('creating an intent', () => {
  it('answers it with its metadata and a client secret', async () => {
    const intent = await create()
    expect(intent).toMatchObject({ amount: 2549, currency: 'usd', status: 'requires_payment_method', metadata: { sale_id: 's1' }, livemode: false })
    expect(intent.client_secret).toMatch(new RegExp(`^${intent.id}_secret_`))
    expect(await stripe.paymentIntents.retrieve(intent.id)).toMatchObject({ id: intent.id, metadata: { sale_id: 's1' } })
  })

  it('gives one intent for one idempotency key, and refuses other parameters under it', async () => {
    const [first, second] = await Promise.all([create(900, { idempotencyKey: 'k1' }), create(900, { idempotencyKey: 'k1' })])
    expect(second.id).toBe(first.id)
    expect(await failure(create(901, { idempotencyKey: 'k1' }))).toMatchObject({ status: 400, type: 'StripeIdempotencyError' })
  })

  it.each([[49, 'amount_too_small'], [100_000_000, 'amount_too_large']])('refuses %i cents as %s', async (amount, code) => {
    expect(await failure(create(amount))).toEqual({ status: 400, type: 'StripeInvalidRequestError', code, param: 'amount' })
  })

  it('refuses an unknown intent and a wrong key', async () => {
    expect(await failure(stripe.paymentIntents.retrieve('pi_none'))).toMatchObject({ status: 404, code: 'resource_missing' })
    const stranger = new Stripe('sk_test_other', { host: '127.0.0.1', port, protocol: 'http' })
    expect(await failure(stranger.paymentIntents.retrieve('pi_none'))).toMatchObject({ status: 401, type: 'StripeAuthenticationError' })
  })
})

describe('confirming in the browser', () => {
  it('charges a good card, once', async () => {
    const intent = await create()
    const { status, body } = await confirm(intent, '4242 4242 4242 4242')
    expect({ status, state: body['status'], metadata: body['metadata'] }).toEqual({ status: 200, state: 'succeeded', metadata: undefined })
    expect(await stripe.paymentIntents.retrieve(intent.id)).toMatchObject({ status: 'succeeded', amount_received: 2549 })
    expect((await confirm(intent, '4242424242424242')).body.error).toMatchObject({ code: 'payment_intent_unexpected_state' })
    expect(await failure(stripe.paymentIntents.cancel(intent.id))).toMatchObject({ status: 400, code: 'payment_intent_unexpected_state' })
  })

  it('declines, and takes another card afterwards', async () => {
    const intent = await create()
    const declined = await confirm(intent, '4000000000000002')
    expect(declined).toMatchObject({ status: 402, body: { error: { type: 'card_error', code: 'card_declined', decline_code: 'generic_decline', message: 'Your card was declined.', payment_intent: { status: 'requires_payment_method' } } } })
    expect(await stripe.paymentIntents.retrieve(intent.id)).toMatchObject({ status: 'requires_payment_method', last_payment_error: { code: 'card_declined' } })
    expect((await confirm(intent, '4242424242424242')).body['status']).toBe('succeeded')
  })

  it.each([['succeed', 'succeeded'], ['fail', 'requires_payment_method']])('asks the cardholder, who lets it %s', async (outcome, status) => {
    const intent = await create()
    const asked = await confirm(intent, '4000002500003155')
    const path = `/v1/payment_intents/${intent.id}/authenticate`
    expect(asked.body).toMatchObject({ status: 'requires_action', next_action: { type: 'use_stripe_sdk', use_stripe_sdk: { authenticate_path: path } } })
    expect((await browser(path, { client_secret: String(intent.client_secret), outcome })).body['status']).toBe(status)
  })

  it.each([
    ['4242424242424241', {}, 'incorrect_number', 'number'],
    ['12', {}, 'invalid_number', 'number'],
    ['4242424242424242', { 'payment_method_data[card][exp_year]': '2019' }, 'invalid_expiry_year', 'exp_year'],
    ['4242424242424242', { 'payment_method_data[card][exp_month]': '13' }, 'invalid_expiry_month', 'exp_month'],
    ['4242424242424242', { 'payment_method_data[card][cvc]': '1' }, 'invalid_cvc', 'cvc'],
  ])('refuses the card %s with %o as %s', async (number, more, code, param) => {
    expect(await confirm(await create(), number, more)).toMatchObject({ status: 402, body: { error: { type: 'card_error', code, param } } })
  })

  it('needs the client secret of that very intent, and may not cancel', async () => {
    const [intent, other] = [await create(), await create()]
    const card = { client_secret: String(other.client_secret) }
    expect((await confirm(intent, '4242424242424242', card)).body.error).toMatchObject({ param: 'client_secret' })
    expect((await browser(`/v1/payment_intents/${intent.id}/cancel`, { client_secret: String(intent.client_secret) })).status).toBe(403)
  })

  it('is open to pages of other origins', async () => {
    const response = await fetch(`http://127.0.0.1:${port}/v1/payment_intents/pi_x/confirm`, { method: 'OPTIONS', headers: { origin: 'http://localhost:8080' } })
    expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([200, '*'])
  })
})

describe('cancelling and refunding', () => {
  it('cancels an unpaid intent, which takes no card any more', async () => {
    const intent = await create()
    expect(await stripe.paymentIntents.cancel(intent.id, { cancellation_reason: 'abandoned' })).toMatchObject({ status: 'canceled' })
    expect((await confirm(intent, '4242424242424242')).status).toBe(400)
    expect(await failure(stripe.paymentIntents.cancel(intent.id))).toMatchObject({ code: 'payment_intent_unexpected_state' })
  })

  it('refunds what was paid, once', async () => {
    const intent = await create()
    expect(await failure(stripe.refunds.create({ payment_intent: intent.id }))).toMatchObject({ status: 400 })
    await confirm(intent, '4242424242424242')
    const refund = await stripe.refunds.create({ payment_intent: intent.id }, { idempotencyKey: 'r1' })
    expect(refund).toMatchObject({ amount: 2549, status: 'succeeded', payment_intent: intent.id })
    expect((await stripe.refunds.create({ payment_intent: intent.id }, { idempotencyKey: 'r1' })).id).toBe(refund.id)
    expect(await failure(stripe.refunds.create({ payment_intent: intent.id }))).toMatchObject({ code: 'charge_already_refunded' })
  })
})

describe('webhooks', () => {
  it('are signed, repeated under the same id until taken, and one per change', async () => {
    const intent = await create()
    ANSWERS.push(500)
    await confirm(intent, '4242424242424242')
    await expect.poll(() => eventsOf(intent.id).length, { timeout: 5_000 }).toBe(2)
    const [first, second] = eventsOf(intent.id)
    expect([second?.id, second?.type, second?.api_version]).toEqual([first?.id, 'payment_intent.succeeded', Stripe.API_VERSION])
  })

  it('tell of declines and cancellations', async () => {
    const intent = await create()
    await confirm(intent, '4000000000000002')
    await stripe.paymentIntents.cancel(intent.id)
    await expect.poll(() => eventsOf(intent.id).map((event) => event.type).toSorted(), { timeout: 5_000 }).toEqual(['payment_intent.canceled', 'payment_intent.payment_failed'])
  })

  it('and charges survive a kill -9, and can be switched off', async () => {
    const intent = await create(1200, { idempotencyKey: 'k2' })
    ANSWERS.push(500, 500, 500)
    await confirm(intent, '4242424242424242')
    network.kill('SIGKILL')
    await network.exited
    await start({ WEBHOOKS: 'off' })
    expect(await stripe.paymentIntents.retrieve(intent.id)).toMatchObject({ status: 'succeeded' })
    expect((await create(1200, { idempotencyKey: 'k2' })).id).toBe(intent.id)
    ANSWERS.splice(0)
    await expect.poll(() => eventsOf(intent.id).length, { timeout: 8_000 }).toBeGreaterThan(0)
    const silent = await create()
    await confirm(silent, '4242424242424242')
    await stripe.paymentIntents.retrieve(silent.id)
    expect(eventsOf(silent.id)).toEqual([])
  }, 20_000)
})

it('refuses to run in production', async () => {
  const refused = startProgram(main, { ...settings(), NODE_ENV: 'production' })
  expect(await refused.exited).toBe(1)
  expect(refused.output()).toContain('NODE_ENV: is production')
})
