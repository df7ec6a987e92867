import type { Service } from '@marketplace/kit/app/service.ts'
import { randomUser } from '@marketplace/testing/keys.ts'
import type { Stripe } from 'stripe'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { expectLedgerMatchesProvider, expectPaidOnce } from '../../testing/ledger-assertions.ts'
import { buy, openCheckout } from '../../testing/calls.ts'
import { intentsOf, statesOf } from '../../testing/ledger.ts'
import { addressOf, createHarness, type Harness } from '../../testing/harness.ts'
import { waitForStates, expireSales } from '../../testing/sweeps.ts'

let harness: Harness
let service: Service

beforeAll(async () => {
  harness = await createHarness()
  service = await harness.start({ SWEEP_INTERVAL_MS: 50, RETRY_DELAY_MS: 100 })
  harness.cards.sendWebhooks(`${addressOf(service)}/api/stripe/webhook`)
})
afterEach(async () => {
  harness.cards.before = async () => {}
  harness.cards.faults.clear()
  await expectLedgerMatchesProvider(harness)
})
afterAll(() => harness.stop())

const card = { payment_method: 'pm_card_visa' } satisfies Stripe.PaymentIntentConfirmParams

const salesOf = (listingId: string) =>
  harness.db.selectFrom('transactions').select('id').where('listing_id', '=', listingId).execute()

/** Returns the keys of the create calls, without the sale id. */
async function keysOf(listingId: string): Promise<string[]> {
  const [sale] = await salesOf(listingId)
  const keys = harness.cards.requests.filter(({ path }) => path === '/v1/payment_intents').map(({ key }) => key ?? '')
  const ours = keys.filter((key) => key.startsWith(sale?.id ?? 'none'))
  return [...new Set(ours)].map((key) => key.slice(key.indexOf(':') + 1))
}

describe('an intent whose response', () => {
  it('times out is the same intent at the next request', async () => {
    const { listingId } = harness.catalog.addItem()
    const buyer = randomUser()
    harness.cards.faults.add({ kind: 'time_out', operation: 'create', ms: 0, times: 3 })
    expect(await buy(harness, service, buyer, listingId)).toMatchObject({ status: 503, body: { code: 'unavailable' } })
    expect(await statesOf(harness, listingId)).toEqual(['held'])
    expect(await buy(harness, service, buyer, listingId)).toMatchObject({ status: 201 })
    expect(await statesOf(harness, listingId)).toEqual(['payable'])
  })

  it('is a 500 that the provider repeats is the same intent at the next request', async () => {
    const { listingId } = harness.catalog.addItem()
    const buyer = randomUser()
    harness.cards.faults.add({ kind: 'error', operation: 'create' })
    expect(await buy(harness, service, buyer, listingId)).toMatchObject({ status: 503, body: { code: 'unavailable' } })
    const intent = await openCheckout(harness, service, buyer, listingId)
    expect(await intentsOf(harness, listingId)).toEqual([`${intent.payment_intent_id} requires_payment_method`])
    await harness.cards.pay(intent)
    await expectPaidOnce(harness, listingId)
  })

  it('is a 500 without an intent is created under a new key at the next request', async () => {
    const { listingId } = harness.catalog.addItem()
    const buyer = randomUser()
    harness.cards.faults.add({ kind: 'refuse', operation: 'create', times: 2 })
    for (let request = 0; request < 2; request++)
      expect(await buy(harness, service, buyer, listingId)).toMatchObject({ status: 503 })
    const intent = await openCheckout(harness, service, buyer, listingId)
    expect(await intentsOf(harness, listingId)).toEqual([`${intent.payment_intent_id} requires_payment_method`])
    expect(await keysOf(listingId)).toEqual(['intent2', 'intent2:1', 'intent2:2'])
  })

  // Fails when ensureIntent does not search for orphaned intents: the new key creates a second intent.
  it('is a 500 to 20 concurrent requests is one intent', async () => {
    const { listingId } = harness.catalog.addItem()
    const buyer = randomUser()
    harness.cards.faults.add({ kind: 'error', operation: 'create' })
    await Promise.all(Array.from({ length: 20 }, () => buy(harness, service, buyer, listingId)))
    const responses = await Promise.all(Array.from({ length: 20 }, () => buy(harness, service, buyer, listingId)))
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([201]))
    expect(new Set(responses.map(({ body }) => body['payment_intent_id'])).size).toBe(1)
    expect(await intentsOf(harness, listingId)).toHaveLength(1)
    expect((await keysOf(listingId)).length).toBeLessThanOrEqual(2)
  })

  it('arrives after another key was used is canceled', async () => {
    const { listingId } = harness.catalog.addItem()
    const buyer = randomUser()
    const [reached, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    harness.cards.before = async ({ key }) => {
      if (!key?.endsWith(':intent2')) return
      reached.resolve()
      await gate.promise
    }
    const slow = buy(harness, service, buyer, listingId)
    await reached.promise
    await harness.db.updateTable('transactions').set({ faults: 1 }).where('listing_id', '=', listingId).execute()
    const intent = await openCheckout(harness, service, buyer, listingId)
    gate.resolve()
    expect(await slow).toMatchObject({ status: 201, body: { payment_intent_id: intent.payment_intent_id } })
    const intents = await intentsOf(harness, listingId)
    expect(intents).toContain(`${intent.payment_intent_id} requires_payment_method`)
    expect(new Set(intents.map((created) => created.split(' ')[1]))).toEqual(
      new Set(['canceled', 'requires_payment_method']),
    )
    expect(intents).toHaveLength(2)
  })

  it.each([
    [false, 'canceled', 'released'],
    [true, 'succeeded', 'paid'],
  ] as const)('is a 500 is recovered when the sale expires; charged: %s', async (isCharged, status, state) => {
    const { listingId } = harness.catalog.addItem()
    harness.cards.faults.add({ kind: 'error', operation: 'create' })
    await buy(harness, service, randomUser(), listingId)
    const [created = ''] = await intentsOf(harness, listingId)
    const [id = ''] = created.split(' ')
    if (isCharged) await harness.cards.stripe.paymentIntents.confirm(id, card)
    await expireSales(harness, listingId)
    await waitForStates(harness, listingId, [state])
    expect(await intentsOf(harness, listingId)).toEqual([`${id} ${status}`])
    if (isCharged) await expectPaidOnce(harness, listingId)
  })

  it('is a 500 and that was charged completes the sale at the next request', async () => {
    const { listingId } = harness.catalog.addItem()
    const buyer = randomUser()
    harness.cards.faults.add({ kind: 'error', operation: 'create' })
    await buy(harness, service, buyer, listingId)
    const [id = ''] = (await intentsOf(harness, listingId))[0]?.split(' ') ?? []
    await harness.cards.stripe.paymentIntents.confirm(id, card)
    expect(await buy(harness, service, buyer, listingId)).toMatchObject({ status: 409, body: { code: 'already_paid' } })
    await expectPaidOnce(harness, listingId)
  })
})
