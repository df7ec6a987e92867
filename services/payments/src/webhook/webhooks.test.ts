import type { Service } from '@marketplace/kit/app/service.ts'
import { eventually } from '@marketplace/testing/eventually.ts'
import { randomUser } from '@marketplace/testing/keys.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { openCheckout, type Intent } from '../testing/calls.ts'
import {
  cardKeys,
  postWebhook,
  signedWebhook,
  type SignatureOptions,
  type WebhookEvent,
} from '../testing/fake-card-network.ts'
import { captureEntries, ledgerOf, statesOf } from '../testing/ledger.ts'
import { createHarness, type Harness } from '../testing/harness.ts'

let harness: Harness
let service: Service
let listingId: string
let intent: Intent

beforeAll(async () => {
  harness = await createHarness()
  service = harness.open()
})
afterAll(() => harness.stop())
beforeEach(async () => {
  await harness.db.deleteFrom('webhook_events').execute()
  listingId = harness.catalog.addItem().listingId
  intent = await openCheckout(harness, service, randomUser(), listingId)
})

const now = () => Math.floor(Date.now() / 1000)
const event = (id: string, type = 'payment_intent.succeeded') => ({ id, type, intentId: intent.payment_intent_id })

async function send(payload: string, headers: Record<string, string>): Promise<number> {
  const response = await service.publicApp.inject({ method: 'POST', url: '/api/stripe/webhook', payload, headers })
  return response.statusCode
}

const sendSigned = async (...webhook: [event: WebhookEvent, options?: SignatureOptions]) =>
  (await postWebhook(harness.cards, service, ...webhook)).statusCode

const stored = () => harness.db.selectFrom('webhook_events').selectAll().execute()
const waitForState = (state: string) => eventually(async () => (await statesOf(harness, listingId))[0] === state)

describe('a webhook', () => {
  it('W7 completes the sale of its intent without a session', async () => {
    await harness.cards.pay(intent)
    const { payload, headers } = signedWebhook(harness.cards, event('evt_1'))
    const response = await service.publicApp.inject({ method: 'POST', url: '/api/stripe/webhook', payload, headers })
    expect([response.statusCode, response.json()]).toEqual([200, { received: true }])
    await waitForState('paid')
    expect(await ledgerOf(harness, listingId)).toEqual(captureEntries)
    await eventually(async () => (await stored())[0]?.processed_at)
  })

  it('completes nothing unless the provider confirms the payment', async () => {
    expect(await sendSigned(event('evt_2'))).toBe(200)
    await eventually(async () => (await stored())[0]?.processed_at)
    expect(await statesOf(harness, listingId)).toEqual(['payable'])
    expect(await ledgerOf(harness, listingId)).toEqual([])
  })

  it('releases the sale when the intent was canceled at the provider', async () => {
    await harness.cards.stripe.paymentIntents.cancel(intent.payment_intent_id)
    expect(await sendSigned(event('evt_3', 'payment_intent.canceled'))).toBe(200)
    await waitForState('released')
  })

  it('W4 has one effect when it is received 50 times', async () => {
    await harness.cards.pay(intent)
    const statuses = await Promise.all(Array.from({ length: 50 }, () => sendSigned(event('evt_4'))))
    expect(new Set(statuses)).toEqual(new Set([200]))
    await waitForState('paid')
    expect(await stored()).toHaveLength(1)
    expect(await ledgerOf(harness, listingId)).toEqual(captureEntries)
  })

  it('W6 returns 200 and ignores an unknown type, another product’s intent and an unexpected format', async () => {
    expect(await sendSigned(event('evt_5', 'customer.created'))).toBe(200)
    expect(await stored()).toEqual([])
    expect(await sendSigned({ ...event('evt_6'), intentId: 'pi_of_another_product' })).toBe(200)
    const payload = JSON.stringify({ id: 'evt_7', object: 'event', type: 'payment_intent.succeeded', data: null })
    const signature = harness.cards.stripe.webhooks.generateTestHeaderString({
      payload,
      secret: cardKeys.STRIPE_WEBHOOK_SECRET,
    })
    expect(await send(payload, { 'content-type': 'application/json', 'stripe-signature': signature })).toBe(200)
    await eventually(async () => (await stored())[0]?.processed_at)
    expect(await statesOf(harness, listingId)).toEqual(['payable'])
  })

  it('W6 returns 413 when the payload is too large', async () => {
    const payload = `{"padding":"${'x'.repeat(5 * 1024 * 1024)}"}`
    const headers = { 'content-type': 'application/json', 'stripe-signature': `t=${now()},v1=00` }
    expect(await send(payload, headers)).toBe(413)
  })
})

describe('a webhook without a current signature of the provider', () => {
  it('W1 returns 400 and is not stored', async () => {
    await harness.cards.pay(intent)
    const { payload, headers } = signedWebhook(harness.cards, event('evt_8'))
    const { 'stripe-signature': signature = '', ...unsigned } = headers
    expect(await send(payload, unsigned)).toBe(400)
    expect(await send('', headers)).toBe(400)
    expect(await send(payload, { ...unsigned, 'stripe-signature': 'nonsense' })).toBe(400)
    expect(await send(payload, { ...unsigned, 'stripe-signature': signature.replace(/v1=./, 'v1=g') })).toBe(400)
    expect(await send(payload.replace('evt_8', 'evt_9'), headers)).toBe(400)
    expect(await send(`${payload} `, headers)).toBe(400)
    expect(await sendSigned(event('evt_8'), { scheme: 'v0' })).toBe(400)
    expect(await sendSigned(event('evt_8'), { secret: 'whsec_of_another_endpoint' })).toBe(400)
    expect(await stored()).toEqual([])
    expect(await statesOf(harness, listingId)).toEqual(['payable'])
  })

  it('W1 AUTH-24 is logged with the address from the gateway', async () => {
    const warn = vi.spyOn(service.log, 'warn')
    const { payload, headers } = signedWebhook(harness.cards, event('evt_12'))
    for (const address of ['192.0.2.7', 'not an address'])
      await send(payload, { ...headers, 'stripe-signature': 'nonsense', 'x-forwarded-for': address })
    const line = { event: 'security.bad_signature', userId: null }
    for (const address of ['192.0.2.7', null]) expect(warn).toHaveBeenCalledWith({ ...line, address }, 'security event')
    warn.mockRestore()
  })

  it('W3 returns 400 when its timestamp is too old, in the future, missing or duplicated', async () => {
    await harness.cards.pay(intent)
    const { payload, headers } = signedWebhook(harness.cards, event('evt_10'))
    const signature = headers['stripe-signature'] ?? ''
    const time = /t=(\d+)/.exec(signature)?.[1] ?? ''
    expect(await sendSigned(event('evt_10'), { timestamp: now() - 301 })).toBe(400)
    expect(await sendSigned(event('evt_10'), { timestamp: now() + 60 })).toBe(400)
    expect(await send(payload, { ...headers, 'stripe-signature': signature.replace(/t=\d+,/, '') })).toBe(400)
    expect(await send(payload, { ...headers, 'stripe-signature': `t=${time},${signature}` })).toBe(400)
    expect(await stored()).toEqual([])
    expect(await statesOf(harness, listingId)).toEqual(['payable'])
    expect(await sendSigned(event('evt_10'), { timestamp: now() - 290 })).toBe(200)
    await waitForState('paid')
  })
})

describe('a webhook whose processing failed', () => {
  it('is processed by the sweeper', async () => {
    await harness.cards.pay(intent)
    const isolated = harness.open({ STRIPE_API_BASE: 'http://127.0.0.1:9', RETRY_DELAY_MS: 50 })
    const { payload, headers } = signedWebhook(harness.cards, event('evt_11'))
    const response = await isolated.publicApp.inject({ method: 'POST', url: '/api/stripe/webhook', payload, headers })
    expect(response.statusCode).toBe(200)
    await harness.close(isolated)
    expect(await stored()).toMatchObject([{ id: 'evt_11', processed_at: null }])
    // The sale itself is not due for a minute, so the sweeper can only find it through the webhook.
    const sweeper = await harness.start({ SWEEP_INTERVAL_MS: 50 })
    await waitForState('paid')
    await eventually(async () => (await stored())[0]?.processed_at)
    await harness.close(sweeper)
  })
})
