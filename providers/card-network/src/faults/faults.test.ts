import type { Stripe } from 'stripe'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '@marketplace/stack/servers/ports.ts'
import { TestNetwork } from '@marketplace/tests/support/card-network.ts'

const good = '4242424242424242'
let network: TestNetwork
let switches: string

beforeAll(async () => {
  network = await TestNetwork.start()
  await network.kill()
  const port = await freePort()
  switches = `http://127.0.0.1:${port}/_test/faults`
  await network.run({ FAULTS_PORT: String(port) })
})
afterEach(() => callFaultEndpoint('DELETE'))
afterAll(() => network.stop())

async function callFaultEndpoint(method: string, fault?: object, key = 'sk_test_one'): Promise<unknown> {
  const headers = { authorization: `Bearer ${key}`, ...(fault ? { 'content-type': 'application/json' } : {}) }
  const body = fault ? { body: JSON.stringify(fault) } : {}
  const response = await fetch(switches, { method, headers, ...body })
  return response.headers.get('content-type') && response.status < 400 ? response.json() : response.status
}

const statusOf = async (id: string) => (await network.stripe.paymentIntents.retrieve(id)).status
const typesOf = (id: string) => network.eventsOf(id).map(({ type }) => type.replace('payment_intent.', ''))

describe('the fault endpoint', () => {
  it('requires the secret key, rejects unknown faults, and lists faults until they are used up or cleared', async () => {
    expect(await callFaultEndpoint('POST', { kind: 'decline' }, 'pk_test_one')).toBe(401)
    expect(await callFaultEndpoint('POST', { kind: 'explode' })).toBe(400)
    expect(await callFaultEndpoint('POST', { kind: 'decline', colour: 'red' })).toBe(400)
    const added = await callFaultEndpoint('POST', { kind: 'down', operation: 'refund', times: 3 })
    expect(await callFaultEndpoint('GET')).toEqual([
      Object.assign({ kind: 'down', operation: 'refund', times: 3 }, added),
    ])
    expect(await callFaultEndpoint('DELETE')).toBe(204)
    expect(await callFaultEndpoint('GET')).toEqual([])
  })

  it('is not served on the card network’s own port', async () => {
    expect((await fetch(`http://127.0.0.1:${network.port}/_test/faults`)).status).toBe(404)
  })
})

describe('a call with a fault', () => {
  it('is declined once, whatever the card', async () => {
    const intent = await network.create()
    await callFaultEndpoint('POST', { kind: 'decline', intent: intent.id })
    expect(await network.confirm(intent, good)).toMatchObject({
      status: 402,
      body: { error: { code: 'card_declined' } },
    })
    expect((await network.confirm(intent, good)).status).toBe(200)
  })

  it('is not served while the network is down', async () => {
    const intent = await network.create()
    await callFaultEndpoint('POST', { kind: 'down', operation: 'confirm', times: 2 })
    for (let call = 0; call < 2; call++) await expect(network.confirm(intent, good)).rejects.toThrow()
    expect(await statusOf(intent.id)).toBe('requires_payment_method')
    expect((await network.confirm(intent, good)).status).toBe(200)
  })

  it('charges without a response', async () => {
    const intent = await network.create()
    await callFaultEndpoint('POST', { kind: 'time_out', operation: 'confirm', ms: 50 })
    await expect(network.confirm(intent, good)).rejects.toThrow()
    expect(await statusOf(intent.id)).toBe('succeeded')
  })

  it('charges and responds 500, to replays of its key too', async () => {
    const intent = await network.create()
    await callFaultEndpoint('POST', { kind: 'error', operation: 'confirm' })
    expect((await network.confirm(intent, good)).status).toBe(500)
    expect(await statusOf(intent.id)).toBe('succeeded')
    await callFaultEndpoint('POST', { kind: 'error', operation: 'create' })
    for (let call = 0; call < 2; call++) await expect(network.create(900, 'kept')).rejects.toThrow(/local card network/)
  })
})

describe('a delayed outcome', () => {
  it.each([
    ['succeeded', 'succeeded'],
    ['failed', 'requires_payment_method'],
  ])('is %s after processing, during which the intent cannot change', async (outcome, status) => {
    const [pending, intent] = [await network.create(), await network.create()]
    await callFaultEndpoint('POST', { kind: 'processing', ms: 600_000, outcome, intent: pending.id })
    expect((await network.confirm(pending, good)).body['status']).toBe('processing')
    await expect(network.stripe.paymentIntents.cancel(pending.id)).rejects.toThrow(/status of processing/)
    expect((await network.confirm(pending, good)).status).toBe(400)
    await callFaultEndpoint('POST', { kind: 'processing', ms: 100, outcome, intent: intent.id })
    expect((await network.confirm(intent, good)).body['status']).toBe('processing')
    await expect.poll(() => statusOf(intent.id)).toEqual(status)
    await expect
      .poll(() => typesOf(intent.id))
      .toEqual(['processing', outcome === 'failed' ? 'payment_failed' : outcome])
  })

  it('is a success after a cancellation', async () => {
    const intent = await network.create()
    await callFaultEndpoint('POST', { kind: 'succeed_after_cancel', ms: 100 })
    expect((await network.stripe.paymentIntents.cancel(intent.id)).status).toBe('canceled')
    await expect.poll(() => statusOf(intent.id)).toBe('succeeded')
    await expect.poll(() => typesOf(intent.id)).toEqual(['canceled', 'succeeded'])
  })

  it.each([
    ['succeeded', 'charge_already_refunded'],
    ['failed', 'succeeded'],
  ])('is a refund that has %s, and another one is then %s', async (outcome, next) => {
    const intent = await network.create()
    await network.confirm(intent, good)
    await callFaultEndpoint('POST', { kind: 'slow_refund', ms: 100, outcome })
    const { refunds } = network.stripe
    const { id, status } = await refunds.create({ payment_intent: intent.id } satisfies Stripe.RefundCreateParams)
    expect(status).toBe('pending')
    await expect.poll(async () => (await refunds.retrieve(id)).status).toEqual(outcome)
    const listed = (await refunds.list({ payment_intent: intent.id } satisfies Stripe.RefundListParams)).data
    expect(listed.map((refund) => [refund.id, refund.status])).toEqual([[id, outcome]])
    const again = await refunds
      .create({ payment_intent: intent.id } satisfies Stripe.RefundCreateParams)
      .catch((error: Stripe.errors.StripeError) => error)
    expect('status' in again ? again.status : again.code).toBe(next)
  })
})

describe('webhooks', () => {
  const paid = async () => {
    const intent = await network.create()
    await network.confirm(intent, good)
    return intent.id
  }

  it('can be lost, duplicated under one id, and delayed', async () => {
    await callFaultEndpoint('POST', { kind: 'lose_webhook' })
    const lost = await paid()
    await callFaultEndpoint('POST', { kind: 'duplicate_webhook', copies: 3 })
    const repeated = await paid()
    await expect.poll(() => typesOf(repeated)).toEqual(['succeeded', 'succeeded', 'succeeded'])
    expect(new Set(network.eventsOf(repeated).map(({ id }) => id)).size).toBe(1)
    await callFaultEndpoint('POST', { kind: 'delay_webhook', ms: 600_000 })
    const later = await paid()
    await callFaultEndpoint('POST', { kind: 'delay_webhook', ms: 100 })
    const soon = await paid()
    await expect.poll(() => typesOf(soon)).toEqual(['succeeded'])
    expect([later, lost].map(typesOf)).toEqual([[], []])
  })

  it('can be reordered', async () => {
    const intent = await network.create()
    await callFaultEndpoint('POST', { kind: 'reorder_webhook' })
    await network.confirm(intent, '4000000000000002')
    await network.confirm(intent, good)
    await expect.poll(() => typesOf(intent.id)).toEqual(['succeeded', 'payment_failed'])
  })
})
