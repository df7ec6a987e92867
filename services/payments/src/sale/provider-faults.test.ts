import type { Service } from '@marketplace/kit/service.ts'
import { eventually } from '@marketplace/testing/eventually.ts'
import { someone } from '@marketplace/testing/keys.ts'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { checkBooks } from '../testing/books.ts'
import { expectPaidOnce } from '../testing/paid-once.ts'
import { buy, call, cancel, confirm, openCheckout } from '../testing/calls.ts'
import { captured, eventsOf, givenBack, lateCaptured, ledgerOf, statesOf } from '../testing/ledger.ts'
import { timeLimitHeader } from '@marketplace/kit/deadline.ts'
import { addressOf, startStand, type Stand } from '../testing/stand.ts'
import { becomes, lapse, makeDue } from '../testing/time.ts'

let stand: Stand
let service: Service

beforeAll(async () => {
  stand = await startStand()
  service = await stand.start({ SWEEP_EVERY_MS: 50, RETRY_MS: 100 })
  stand.cards.sendWebhooks(`${addressOf(service)}/api/stripe/webhook`)
})
afterEach(async () => {
  stand.cards.faults.clear()
  await checkBooks(stand)
})
afterAll(() => stand.stop())

async function checkout() {
  const { listingId } = stand.catalog.addItem()
  const buyer = someone()
  return { listingId, buyer, intent: await openCheckout(stand, service, buyer, listingId) }
}

const webhooks = async (intentId: string) => {
  const rows = await stand.db.selectFrom('webhook_events').selectAll().where('intent_id', '=', intentId).execute()
  return rows.map(({ type, processed_at }) => `${type} ${processed_at ? 'processed' : 'waiting'}`)
}

describe('a card that the provider declines', () => {
  it('books nothing, and the next try pays', async () => {
    const { listingId, buyer, intent } = await checkout()
    stand.cards.faults.add({ kind: 'decline' })
    expect(await stand.cards.pay(intent)).toBe(402)
    expect(await confirm(stand, service, buyer, intent)).toMatchObject({ status: 409, body: { code: 'not_paid' } })
    expect([await statesOf(stand, listingId), await ledgerOf(stand, listingId)]).toEqual([['payable'], []])
    expect(await stand.cards.pay(intent)).toBe(200)
    await expectPaidOnce(stand, listingId)
  })
})

describe('a charge whose answer', () => {
  it('never reaches the browser completes by the webhook', async () => {
    const { listingId, intent } = await checkout()
    stand.cards.faults.add({ kind: 'time_out', operation: 'confirm', ms: 0 })
    await expect(stand.cards.pay(intent)).rejects.toThrow()
    await expectPaidOnce(stand, listingId)
  })

  it('is 500 completes by the webhook', async () => {
    const { listingId, intent } = await checkout()
    stand.cards.faults.add({ kind: 'error', operation: 'confirm' })
    expect(await stand.cards.pay(intent)).toBe(500)
    await expectPaidOnce(stand, listingId)
  })

  it('and whose webhook are lost completes by the sweeper', async () => {
    const { listingId, intent } = await checkout()
    stand.cards.faults.add({ kind: 'lose_webhook' })
    stand.cards.faults.add({ kind: 'time_out', operation: 'confirm', ms: 0 })
    await expect(stand.cards.pay(intent)).rejects.toThrow()
    await makeDue(stand, listingId)
    await expectPaidOnce(stand, listingId)
    expect(await webhooks(intent.payment_intent_id)).toEqual([])
  })
})

describe('a cancellation whose answer', () => {
  it.each(['time_out', 'error'] as const)('is a %s frees the item once the truth is heard', async (kind) => {
    const { listingId, buyer, intent } = await checkout()
    const fault = { operation: 'cancel', times: 3 } as const
    stand.cards.faults.add(kind === 'error' ? { kind, ...fault } : { kind, ms: 0, ...fault })
    // Webhook and sweeper may hear of it while the call still asks.
    const { status, body } = await cancel(stand, service, buyer, intent)
    expect([status, ['pending', 'cancelled'].includes(body['status'] ?? '')]).toEqual([200, true])
    await becomes(stand, listingId, ['released'])
    expect(await cancel(stand, service, buyer, intent)).toMatchObject({ status: 200, body: { status: 'cancelled' } })
    expect(await eventsOf(stand, listingId)).toEqual(['SaleReleased'])
  })

  it('does not come while its sender waits is pending to the sender, and frees the item later', async () => {
    const { listingId, buyer, intent } = await checkout()
    const { promise: isBack, resolve: comeBack } = Promise.withResolvers<void>()
    stand.cards.before = ({ path }) => (path.endsWith('/cancel') ? isBack : Promise.resolve())
    const body = { payment_intent_id: intent.payment_intent_id }
    const request = { [timeLimitHeader]: '2100' }
    const answer = await call(stand, service, buyer, ['POST', '/api/payments/cancel', body, request])
    expect(answer).toMatchObject({ status: 200, body: { status: 'pending' } })
    comeBack()
    stand.cards.before = async () => {}
    await becomes(stand, listingId, ['released'])
  })
})

describe('a payment in processing', () => {
  it('is completed when it succeeds', async () => {
    const { listingId, buyer, intent } = await checkout()
    stand.cards.faults.add({ kind: 'processing', ms: 400 })
    expect(await stand.cards.pay(intent)).toBe(200)
    expect(await confirm(stand, service, buyer, intent)).toMatchObject({ status: 409, body: { code: 'not_paid' } })
    await expectPaidOnce(stand, listingId)
  })

  it('leaves the intent open to another card when it fails', async () => {
    const { listingId, intent } = await checkout()
    stand.cards.faults.add({ kind: 'processing', ms: 100, outcome: 'failed' })
    expect(await stand.cards.pay(intent)).toBe(200)
    await eventually(async () => {
      const { status } = await stand.cards.stripe.paymentIntents.retrieve(intent.payment_intent_id)
      return status === 'requires_payment_method'
    })
    expect(await statesOf(stand, listingId)).toEqual(['payable'])
    expect(await stand.cards.pay(intent)).toBe(200)
    await expectPaidOnce(stand, listingId)
  })

  it.each([
    ['succeeded', 'paid'],
    ['failed', 'released'],
  ] as const)('when the time is over keeps the item held until it has %s: %s', async (outcome, state) => {
    const { listingId, buyer, intent } = await checkout()
    stand.cards.faults.add({ kind: 'processing', ms: 800, outcome })
    await stand.cards.pay(intent)
    await lapse(stand, listingId)
    await becomes(stand, listingId, ['releasing'])
    expect(await cancel(stand, service, buyer, intent)).toMatchObject({ status: 200, body: { status: 'pending' } })
    expect(await buy(stand, service, someone('Bob'), listingId)).toMatchObject({ status: 409 })
    // The second is Bob's refused one.
    await becomes(stand, listingId, [state, 'released'])
  })
})

describe('a success after a cancellation', () => {
  it('is given back', async () => {
    const { listingId, buyer, intent } = await checkout()
    stand.cards.faults.add({ kind: 'succeed_after_cancel', ms: 200 })
    expect(await cancel(stand, service, buyer, intent)).toMatchObject({ status: 200, body: { status: 'cancelled' } })
    const bob = await openCheckout(stand, service, someone('Bob'), listingId)
    await becomes(stand, listingId, ['refunded', 'payable'])
    await stand.cards.pay(bob)
    await becomes(stand, listingId, ['refunded', 'paid'])
    expect(await ledgerOf(stand, listingId)).toEqual([...lateCaptured, ...givenBack, ...captured])
  })
})

describe('webhooks', () => {
  it('that come three times have one effect', async () => {
    const { listingId, intent } = await checkout()
    stand.cards.faults.add({ kind: 'duplicate_webhook', copies: 3 })
    await stand.cards.pay(intent)
    await expectPaidOnce(stand, listingId)
    await eventually(async () => (await webhooks(intent.payment_intent_id))[0]?.endsWith('processed'))
    expect(await webhooks(intent.payment_intent_id)).toEqual(['payment_intent.succeeded processed'])
  })

  it('that come late change nothing: after the confirmation, after the release', async () => {
    const [paid, released] = [await checkout(), await checkout()]
    stand.cards.faults.add({ kind: 'delay_webhook', ms: 500, times: 2 })
    await stand.cards.pay(paid.intent)
    expect(await confirm(stand, service, paid.buyer, paid.intent)).toMatchObject({ status: 200 })
    expect(await cancel(stand, service, released.buyer, released.intent)).toMatchObject({ status: 200 })
    for (const { intent } of [paid, released])
      await eventually(async () => (await webhooks(intent.payment_intent_id))[0]?.endsWith('processed'))
    await expectPaidOnce(stand, paid.listingId)
    expect(await statesOf(stand, released.listingId)).toEqual(['released'])
    expect(await eventsOf(stand, released.listingId)).toEqual(['SaleReleased'])
  })

  it('that come in another order lead to the provider’s truth', async () => {
    const { listingId, buyer, intent } = await checkout()
    stand.cards.faults.add({ kind: 'succeed_after_cancel', ms: 100 })
    // The cancellation's is held back until the success's is on its way.
    stand.cards.faults.add({ kind: 'reorder_webhook' })
    await cancel(stand, service, buyer, intent)
    await becomes(stand, listingId, ['refunded'])
    await eventually(async () => (await webhooks(intent.payment_intent_id)).length === 2)
    expect(await statesOf(stand, listingId)).toEqual(['refunded'])
    expect(await ledgerOf(stand, listingId)).toEqual([...lateCaptured, ...givenBack])
  })

  it('that are lost are not missed', async () => {
    const { listingId, buyer, intent } = await checkout()
    stand.cards.faults.add({ kind: 'lose_webhook' })
    await stand.cards.pay(intent)
    expect(await confirm(stand, service, buyer, intent)).toMatchObject({ status: 200 })
    await expectPaidOnce(stand, listingId)
  })
})
