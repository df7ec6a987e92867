import type { Service } from '@marketplace/kit/service.ts'
import { someone } from '@marketplace/testing/keys.ts'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { checkBooks } from '../testing/books.ts'
import { expectPaidOnce } from '../testing/paid-once.ts'
import { buy, openCheckout } from '../testing/calls.ts'
import { statesOf } from '../testing/ledger.ts'
import { addressOf, startStand, type Stand } from '../testing/stand.ts'
import { becomes, lapse } from '../testing/time.ts'

let stand: Stand
let service: Service

beforeAll(async () => {
  stand = await startStand()
  service = await stand.start({ SWEEP_EVERY_MS: 50, RETRY_MS: 100 })
  stand.cards.sendWebhooks(`${addressOf(service)}/api/stripe/webhook`)
})
afterEach(async () => {
  stand.cards.before = async () => {}
  stand.cards.faults.clear()
  await checkBooks(stand)
})
afterAll(() => stand.stop())

const salesOf = (listingId: string) =>
  stand.db.selectFrom('transactions').select('id').where('listing_id', '=', listingId).execute()

/** What the provider has for a listing, known to us or not. */
async function intentsOf(listingId: string): Promise<string[]> {
  const ids = new Set((await salesOf(listingId)).map(({ id }) => id))
  const { data } = await stand.cards.stripe.paymentIntents.list({ limit: 100 })
  return data.filter(({ metadata }) => ids.has(metadata['sale'] ?? '')).map(({ id, status }) => `${id} ${status}`)
}

/** The keys under which intents were asked for, without the sale. */
async function keysOf(listingId: string): Promise<string[]> {
  const [sale] = await salesOf(listingId)
  const keys = stand.cards.seen.filter(({ path }) => path === '/v1/payment_intents').map(({ key }) => key ?? '')
  const ours = keys.filter((key) => key.startsWith(sale?.id ?? 'none'))
  return [...new Set(ours)].map((key) => key.slice(key.indexOf(':') + 1))
}

describe('an intent whose answer', () => {
  it('times out is the same intent at the next press', async () => {
    const { listingId } = stand.catalog.addItem()
    const buyer = someone()
    stand.cards.faults.add({ kind: 'time_out', operation: 'create', ms: 0, times: 3 })
    expect(await buy(stand, service, buyer, listingId)).toMatchObject({ status: 503, body: { code: 'unavailable' } })
    expect(await statesOf(stand, listingId)).toEqual(['held'])
    expect(await buy(stand, service, buyer, listingId)).toMatchObject({ status: 201 })
    expect(await statesOf(stand, listingId)).toEqual(['payable'])
  })

  it('is 500, which its key keeps, is the same intent at the next press', async () => {
    const { listingId } = stand.catalog.addItem()
    const buyer = someone()
    stand.cards.faults.add({ kind: 'error', operation: 'create' })
    expect(await buy(stand, service, buyer, listingId)).toMatchObject({ status: 503, body: { code: 'unavailable' } })
    const intent = await openCheckout(stand, service, buyer, listingId)
    expect(await intentsOf(listingId)).toEqual([`${intent.payment_intent_id} requires_payment_method`])
    await stand.cards.pay(intent)
    await expectPaidOnce(stand, listingId)
  })

  it('is 500, with nothing made, is asked for under a new key at the next press', async () => {
    const { listingId } = stand.catalog.addItem()
    const buyer = someone()
    stand.cards.faults.add({ kind: 'refuse', operation: 'create', times: 2 })
    for (let press = 0; press < 2; press++)
      expect(await buy(stand, service, buyer, listingId)).toMatchObject({ status: 503 })
    const intent = await openCheckout(stand, service, buyer, listingId)
    expect(await intentsOf(listingId)).toEqual([`${intent.payment_intent_id} requires_payment_method`])
    expect(await keysOf(listingId)).toEqual(['intent', 'intent:1', 'intent:2'])
  })

  // Turns red without `lost` in openIntent (open-intent.ts): the new key makes a second intent.
  it('is 500 to 20 presses at once is one intent', async () => {
    const { listingId } = stand.catalog.addItem()
    const buyer = someone()
    stand.cards.faults.add({ kind: 'error', operation: 'create' })
    await Promise.all(Array.from({ length: 20 }, () => buy(stand, service, buyer, listingId)))
    const presses = await Promise.all(Array.from({ length: 20 }, () => buy(stand, service, buyer, listingId)))
    expect(new Set(presses.map(({ status }) => status))).toEqual(new Set([201]))
    expect(new Set(presses.map(({ body }) => body['payment_intent_id'])).size).toBe(1)
    expect(await intentsOf(listingId)).toHaveLength(1)
    expect((await keysOf(listingId)).length).toBeLessThanOrEqual(2)
  })

  it('comes too late, for a key that was given up, is an intent that nobody can pay', async () => {
    const { listingId } = stand.catalog.addItem()
    const buyer = someone()
    const [reached, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    stand.cards.before = async ({ key }) => {
      if (!key?.endsWith(':intent')) return
      reached.resolve()
      await gate.promise
    }
    const slow = buy(stand, service, buyer, listingId)
    await reached.promise
    await stand.db.updateTable('transactions').set({ faults: 1 }).where('listing_id', '=', listingId).execute()
    const intent = await openCheckout(stand, service, buyer, listingId)
    gate.resolve()
    expect(await slow).toMatchObject({ status: 201, body: { payment_intent_id: intent.payment_intent_id } })
    const intents = await intentsOf(listingId)
    expect(intents).toContain(`${intent.payment_intent_id} requires_payment_method`)
    expect(new Set(intents.map((made) => made.split(' ')[1]))).toEqual(new Set(['canceled', 'requires_payment_method']))
    expect(intents).toHaveLength(2)
  })

  it.each([
    [false, 'canceled', 'released'],
    [true, 'succeeded', 'paid'],
  ] as const)('is 500 is looked for when the time is over; charged: %s', async (isCharged, status, state) => {
    const { listingId } = stand.catalog.addItem()
    stand.cards.faults.add({ kind: 'error', operation: 'create' })
    await buy(stand, service, someone(), listingId)
    const [made = ''] = await intentsOf(listingId)
    const [id = ''] = made.split(' ')
    if (isCharged) await stand.cards.stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_visa' })
    await lapse(stand, listingId)
    await becomes(stand, listingId, [state])
    expect(await intentsOf(listingId)).toEqual([`${id} ${status}`])
    if (isCharged) await expectPaidOnce(stand, listingId)
  })

  it('is 500 and that was charged completes the sale at the next press', async () => {
    const { listingId } = stand.catalog.addItem()
    const buyer = someone()
    stand.cards.faults.add({ kind: 'error', operation: 'create' })
    await buy(stand, service, buyer, listingId)
    const [id = ''] = (await intentsOf(listingId))[0]?.split(' ') ?? []
    await stand.cards.stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_visa' })
    expect(await buy(stand, service, buyer, listingId)).toMatchObject({ status: 409, body: { code: 'already_paid' } })
    await expectPaidOnce(stand, listingId)
  })
})
