import type { Service } from '@marketplace/kit/app/service.ts'
import { eventually } from '@marketplace/testing/eventually.ts'
import { randomUser } from '@marketplace/testing/keys.ts'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { expectLedgerMatchesProvider, expectPaidOnce } from '../testing/ledger-assertions.ts'
import { buy, call, cancel, confirm, openCheckout } from '../testing/calls.ts'
import {
  captureEntries,
  eventsOf,
  refundPaidEntries,
  lateCaptureEntries,
  ledgerOf,
  statesOf,
} from '../testing/ledger.ts'
import { deadlineHeader } from '@marketplace/kit/http/deadline.ts'
import { addressOf, createHarness, type Harness } from '../testing/harness.ts'
import { waitForStates, expireSales, makeDue } from '../testing/sweeps.ts'

const hourMs = 3_600_000

let harness: Harness
let service: Service

beforeAll(async () => {
  harness = await createHarness()
  service = await harness.start({ SWEEP_INTERVAL_MS: 50, RETRY_DELAY_MS: 100 })
  harness.cards.sendWebhooks(`${addressOf(service)}/api/stripe/webhook`)
})
afterEach(async () => {
  harness.cards.faults.clear()
  await expectLedgerMatchesProvider(harness)
})
afterAll(() => harness.stop())

async function checkout() {
  const { listingId } = harness.catalog.addItem()
  const buyer = randomUser()
  return { listingId, buyer, intent: await openCheckout(harness, service, buyer, listingId) }
}

const webhooks = async (intentId: string) => {
  const rows = await harness.db.selectFrom('webhook_events').selectAll().where('intent_id', '=', intentId).execute()
  return rows.map(({ type, processed_at }) => `${type} ${processed_at ? 'processed' : 'waiting'}`)
}

describe('a declined card', () => {
  it('posts no journal, and the next attempt pays', async () => {
    const { listingId, buyer, intent } = await checkout()
    harness.cards.faults.add({ kind: 'decline' })
    expect(await harness.cards.pay(intent)).toBe(402)
    expect(await confirm(harness, service, buyer, intent)).toMatchObject({ status: 409, body: { code: 'not_paid' } })
    expect([await statesOf(harness, listingId), await ledgerOf(harness, listingId)]).toEqual([['payable'], []])
    expect(await harness.cards.pay(intent)).toBe(200)
    await expectPaidOnce(harness, listingId)
  })
})

describe('a charge whose response', () => {
  it('is lost completes through the webhook', async () => {
    const { listingId, intent } = await checkout()
    harness.cards.faults.add({ kind: 'time_out', operation: 'confirm', ms: 0 })
    await expect(harness.cards.pay(intent)).rejects.toThrow()
    await expectPaidOnce(harness, listingId)
  })

  it('is a 500 completes through the webhook', async () => {
    const { listingId, intent } = await checkout()
    harness.cards.faults.add({ kind: 'error', operation: 'confirm' })
    expect(await harness.cards.pay(intent)).toBe(500)
    await expectPaidOnce(harness, listingId)
  })

  it('is lost completes through the sweeper when the webhook is lost too', async () => {
    const { listingId, intent } = await checkout()
    harness.cards.faults.add({ kind: 'lose_webhook' })
    harness.cards.faults.add({ kind: 'time_out', operation: 'confirm', ms: 0 })
    await expect(harness.cards.pay(intent)).rejects.toThrow()
    await makeDue(harness, listingId)
    await expectPaidOnce(harness, listingId)
    expect(await webhooks(intent.payment_intent_id)).toEqual([])
  })
})

describe('a cancellation whose response', () => {
  it.each(['time_out', 'error'] as const)('fails with %s releases the item once the status is known', async (kind) => {
    const { listingId, buyer, intent } = await checkout()
    const fault = { operation: 'cancel', times: 3 } as const
    harness.cards.faults.add(kind === 'error' ? { kind, ...fault } : { kind, ms: 0, ...fault })
    // A webhook or the sweeper may complete the cancellation while the call still retries.
    const { status, body } = await cancel(harness, service, buyer, intent)
    expect([status, ['pending', 'cancelled'].includes(body['status'] ?? '')]).toEqual([200, true])
    await waitForStates(harness, listingId, ['released'])
    expect(await cancel(harness, service, buyer, intent)).toMatchObject({ status: 200, body: { status: 'cancelled' } })
    expect(await eventsOf(harness, listingId)).toEqual(['SaleReleased'])
  })

  it('misses the deadline is returned as pending, and the item is released later', async () => {
    const { listingId, buyer, intent } = await checkout()
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    harness.cards.before = ({ path }) => (path.endsWith('/cancel') ? released : Promise.resolve())
    const body = { payment_intent_id: intent.payment_intent_id }
    const request = { [deadlineHeader]: '2100' }
    const response = await call(harness, service, buyer, ['POST', '/api/payments/cancel', body, request])
    expect(response).toMatchObject({ status: 200, body: { status: 'pending' } })
    release()
    harness.cards.before = async () => {}
    await waitForStates(harness, listingId, ['released'])
  })
})

describe('a payment in processing', () => {
  it('completes when it succeeds', async () => {
    const { listingId, buyer, intent } = await checkout()
    harness.cards.faults.add({ kind: 'processing', ms: hourMs })
    expect(await harness.cards.pay(intent)).toBe(200)
    expect(await confirm(harness, service, buyer, intent)).toMatchObject({ status: 409, body: { code: 'not_paid' } })
    harness.cards.applyOutcome(intent.payment_intent_id)
    await expectPaidOnce(harness, listingId)
  })

  it('leaves the intent open for another card when it fails', async () => {
    const { listingId, intent } = await checkout()
    harness.cards.faults.add({ kind: 'processing', ms: 100, outcome: 'failed' })
    expect(await harness.cards.pay(intent)).toBe(200)
    await eventually(async () => {
      const { status } = await harness.cards.stripe.paymentIntents.retrieve(intent.payment_intent_id)
      return status === 'requires_payment_method'
    })
    expect(await statesOf(harness, listingId)).toEqual(['payable'])
    expect(await harness.cards.pay(intent)).toBe(200)
    await expectPaidOnce(harness, listingId)
  })

  it.each([
    ['succeeded', 'paid'],
    ['failed', 'released'],
  ] as const)('keeps the item of an expired sale held until it has %s: %s', async (outcome, state) => {
    const { listingId, buyer, intent } = await checkout()
    harness.cards.faults.add({ kind: 'processing', ms: hourMs, outcome })
    await harness.cards.pay(intent)
    await expireSales(harness, listingId)
    await waitForStates(harness, listingId, ['releasing'])
    expect(await cancel(harness, service, buyer, intent)).toMatchObject({ status: 200, body: { status: 'pending' } })
    expect(await buy(harness, service, randomUser('Bob'), listingId)).toMatchObject({ status: 409 })
    harness.cards.applyOutcome(intent.payment_intent_id)
    // The second sale is Bob's, whose hold was rejected.
    await waitForStates(harness, listingId, [state, 'released'])
  })
})

describe('a success after a cancellation', () => {
  it('is refunded', async () => {
    const { listingId, buyer, intent } = await checkout()
    harness.cards.faults.add({ kind: 'succeed_after_cancel', ms: hourMs })
    expect(await cancel(harness, service, buyer, intent)).toMatchObject({ status: 200, body: { status: 'cancelled' } })
    const bob = await openCheckout(harness, service, randomUser('Bob'), listingId)
    harness.cards.applyOutcome(intent.payment_intent_id)
    await waitForStates(harness, listingId, ['refunded', 'payable'])
    await harness.cards.pay(bob)
    await waitForStates(harness, listingId, ['refunded', 'paid'])
    expect(await ledgerOf(harness, listingId)).toEqual([...lateCaptureEntries, ...refundPaidEntries, ...captureEntries])
  })
})

describe('webhooks', () => {
  it('have one effect when they are sent three times', async () => {
    const { listingId, intent } = await checkout()
    harness.cards.faults.add({ kind: 'duplicate_webhook', copies: 3 })
    await harness.cards.pay(intent)
    await expectPaidOnce(harness, listingId)
    await eventually(async () => (await webhooks(intent.payment_intent_id))[0]?.endsWith('processed'))
    expect(await webhooks(intent.payment_intent_id)).toEqual(['payment_intent.succeeded processed'])
  })

  it('change nothing when they are late, after the confirmation and after the release', async () => {
    const [paid, released] = [await checkout(), await checkout()]
    harness.cards.faults.add({ kind: 'delay_webhook', ms: 500, times: 2 })
    await harness.cards.pay(paid.intent)
    expect(await confirm(harness, service, paid.buyer, paid.intent)).toMatchObject({ status: 200 })
    expect(await cancel(harness, service, released.buyer, released.intent)).toMatchObject({ status: 200 })
    for (const { intent } of [paid, released])
      await eventually(async () => (await webhooks(intent.payment_intent_id))[0]?.endsWith('processed'))
    await expectPaidOnce(harness, paid.listingId)
    expect(await statesOf(harness, released.listingId)).toEqual(['released'])
    expect(await eventsOf(harness, released.listingId)).toEqual(['SaleReleased'])
  })

  it('lead to the provider’s status when they arrive out of order', async () => {
    const { listingId, buyer, intent } = await checkout()
    harness.cards.faults.add({ kind: 'succeed_after_cancel', ms: hourMs })
    // The webhook of the cancellation is sent after the webhook of the success.
    harness.cards.faults.add({ kind: 'reorder_webhook' })
    await cancel(harness, service, buyer, intent)
    harness.cards.applyOutcome(intent.payment_intent_id)
    await waitForStates(harness, listingId, ['refunded'])
    const ofIntent = async () =>
      (await webhooks(intent.payment_intent_id)).filter((sent) => sent.startsWith('payment_'))
    await eventually(async () => (await ofIntent()).length === 2)
    expect(await statesOf(harness, listingId)).toEqual(['refunded'])
    expect(await ledgerOf(harness, listingId)).toEqual([...lateCaptureEntries, ...refundPaidEntries])
  })

  it('are not needed when the confirmation completes the sale', async () => {
    const { listingId, buyer, intent } = await checkout()
    harness.cards.faults.add({ kind: 'lose_webhook' })
    await harness.cards.pay(intent)
    expect(await confirm(harness, service, buyer, intent)).toMatchObject({ status: 200 })
    await expectPaidOnce(harness, listingId)
  })
})
