import type { Service } from '@marketplace/kit/service.ts'
import { eventually } from '@marketplace/testing/eventually.ts'
import { someone } from '@marketplace/testing/keys.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openCheckout, type Intent } from '../testing/calls.ts'
import { cardKeys, signedWebhook } from '../testing/card-network.ts'
import { captured, ledgerOf, statesOf } from '../testing/ledger.ts'
import { startStand, type Stand } from '../testing/stand.ts'

let stand: Stand
let service: Service
let listingId: string
let intent: Intent

beforeAll(async () => {
  stand = await startStand()
  service = stand.open()
})
afterAll(() => stand.stop())
beforeEach(async () => {
  await stand.db.deleteFrom('webhook_events').execute()
  listingId = stand.catalog.addItem().listingId
  intent = await openCheckout(stand, service, someone(), listingId)
})

const now = () => Math.floor(Date.now() / 1000)
const event = (id: string, type = 'payment_intent.succeeded') => ({ id, type, intentId: intent.payment_intent_id })

async function send(payload: string, headers: Record<string, string>): Promise<number> {
  const answer = await service.publicApp.inject({ method: 'POST', url: '/api/stripe/webhook', payload, headers })
  return answer.statusCode
}

const sendSigned = (given: ReturnType<typeof event>, options?: Parameters<typeof signedWebhook>[2]) => {
  const { payload, headers } = signedWebhook(stand.cards, given, options)
  return send(payload, headers)
}

const stored = () => stand.db.selectFrom('webhook_events').selectAll().execute()
const stateBecomes = (state: string) => eventually(async () => (await statesOf(stand, listingId))[0] === state)

describe('a webhook', () => {
  it('W7 completes the sale of its intent, with no session', async () => {
    await stand.cards.pay(intent)
    const { payload, headers } = signedWebhook(stand.cards, event('evt_1'))
    const answer = await service.publicApp.inject({ method: 'POST', url: '/api/stripe/webhook', payload, headers })
    expect([answer.statusCode, answer.json()]).toEqual([200, { received: true }])
    await stateBecomes('paid')
    expect(await ledgerOf(stand, listingId)).toEqual(captured)
    await eventually(async () => (await stored())[0]?.processed_at)
  })

  it('completes nothing by its word: the provider is asked', async () => {
    expect(await sendSigned(event('evt_2'))).toBe(200)
    await eventually(async () => (await stored())[0]?.processed_at)
    expect(await statesOf(stand, listingId)).toEqual(['payable'])
    expect(await ledgerOf(stand, listingId)).toEqual([])
  })

  it('frees the item of an intent that was cancelled at the provider', async () => {
    await stand.cards.stripe.paymentIntents.cancel(intent.payment_intent_id)
    expect(await sendSigned(event('evt_3', 'payment_intent.canceled'))).toBe(200)
    await stateBecomes('released')
  })

  it('W4 has one effect when it comes 50 times', async () => {
    await stand.cards.pay(intent)
    const answers = await Promise.all(Array.from({ length: 50 }, () => sendSigned(event('evt_4'))))
    expect(new Set(answers)).toEqual(new Set([200]))
    await stateBecomes('paid')
    expect(await stored()).toHaveLength(1)
    expect(await ledgerOf(stand, listingId)).toEqual(captured)
  })

  it('W6 is taken and ignored when it is of an unknown type, of another product, or of another shape', async () => {
    expect(await sendSigned(event('evt_5', 'customer.created'))).toBe(200)
    expect(await stored()).toEqual([])
    expect(await sendSigned({ ...event('evt_6'), intentId: 'pi_of_another_product' })).toBe(200)
    const payload = JSON.stringify({ id: 'evt_7', object: 'event', type: 'payment_intent.succeeded', data: null })
    const signature = stand.cards.stripe.webhooks.generateTestHeaderString({
      payload,
      secret: cardKeys.STRIPE_WEBHOOK_SECRET,
    })
    expect(await send(payload, { 'content-type': 'application/json', 'stripe-signature': signature })).toBe(200)
    await eventually(async () => (await stored())[0]?.processed_at)
    expect(await statesOf(stand, listingId)).toEqual(['payable'])
  })

  it('W6 is 413 when it is too large', async () => {
    const payload = `{"padding":"${'x'.repeat(5 * 1024 * 1024)}"}`
    const headers = { 'content-type': 'application/json', 'stripe-signature': `t=${now()},v1=00` }
    expect(await send(payload, headers)).toBe(413)
  })
})

describe('a webhook that is not signed by the provider now', () => {
  it('W1 is 400 and stored nowhere', async () => {
    await stand.cards.pay(intent)
    const { payload, headers } = signedWebhook(stand.cards, event('evt_8'))
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
    expect(await statesOf(stand, listingId)).toEqual(['payable'])
  })

  it('W3 is 400 when its time is past, ahead, missing or given twice', async () => {
    await stand.cards.pay(intent)
    const { payload, headers } = signedWebhook(stand.cards, event('evt_10'))
    const signature = headers['stripe-signature'] ?? ''
    const time = /t=(\d+)/.exec(signature)?.[1] ?? ''
    expect(await sendSigned(event('evt_10'), { timestamp: now() - 301 })).toBe(400)
    expect(await sendSigned(event('evt_10'), { timestamp: now() + 60 })).toBe(400)
    expect(await send(payload, { ...headers, 'stripe-signature': signature.replace(/t=\d+,/, '') })).toBe(400)
    expect(await send(payload, { ...headers, 'stripe-signature': `t=${time},${signature}` })).toBe(400)
    expect(await stored()).toEqual([])
    expect(await statesOf(stand, listingId)).toEqual(['payable'])
    expect(await sendSigned(event('evt_10'), { timestamp: now() - 290 })).toBe(200)
    await stateBecomes('paid')
  })
})

describe('a webhook that could not be processed', () => {
  it('is taken up by the sweeper', async () => {
    await stand.cards.pay(intent)
    const alone = stand.open({ STRIPE_API_BASE: 'http://127.0.0.1:9', RETRY_MS: 50 })
    const { payload, headers } = signedWebhook(stand.cards, event('evt_11'))
    const answer = await alone.publicApp.inject({ method: 'POST', url: '/api/stripe/webhook', payload, headers })
    expect(answer.statusCode).toBe(200)
    await stand.close(alone)
    expect(await stored()).toMatchObject([{ id: 'evt_11', processed_at: null }])
    // The sale itself is not due for a minute: only the webhook leads to it.
    const sweeper = await stand.start({ SWEEP_EVERY_MS: 50 })
    await stateBecomes('paid')
    await eventually(async () => (await stored())[0]?.processed_at)
    await stand.close(sweeper)
  })
})
