import type { Service } from '@marketplace/kit/app/service.ts'
import { eventually } from '@marketplace/testing/eventually.ts'
import { randomUser } from '@marketplace/testing/keys.ts'
import { sql } from 'kysely'
import type { Stripe } from 'stripe'
import { describe, expect, it } from 'vitest'
import { cancel, confirm, openCheckout } from '../../testing/calls.ts'
import { eventsOf, refundPaidEntries, lateCaptureEntries, ledgerOf, refundsOf } from '../../testing/ledger.ts'
import type { Harness } from '../../testing/harness.ts'
import { startFastService } from '../../testing/fast-service.ts'
import { waitForStates, expireSales, makeDue } from '../../testing/sweeps.ts'

let harness: Harness
let service: Service

startFastService((started) => {
  harness = started.harness
  service = started.service
})

async function cancelledThenCharged() {
  const { listingId } = harness.catalog.addItem()
  const buyer = randomUser()
  const intent = await openCheckout(harness, service, buyer, listingId)
  harness.cards.faults.add({ kind: 'succeed_after_cancel', ms: 3_600_000, intent: intent.payment_intent_id })
  expect(await cancel(harness, service, buyer, intent)).toMatchObject({ status: 200, body: { status: 'cancelled' } })
  harness.cards.applyOutcome(intent.payment_intent_id)
  return { listingId, buyer, intent }
}

// Fails without the state guard of `transition` (sale-transitions.repo.ts): a second journal of the same kind violates
// `journals_once_per_subject`, and the response is a 500.
describe('a payment after the release', () => {
  it('is recorded as a refund due and refunded once when 20 requests find it at the same time', async () => {
    const { listingId, buyer, intent } = await cancelledThenCharged()
    const requests = Array.from({ length: 20 }, () => confirm(harness, service, buyer, intent))
    expect(new Set((await Promise.all(requests)).map(({ body }) => body['code']))).toEqual(new Set(['refunded']))
    await waitForStates(harness, listingId, ['refunded'])
    expect(await ledgerOf(harness, listingId)).toEqual([...lateCaptureEntries, ...refundPaidEntries])
    expect(await refundsOf(harness, intent)).toEqual(['succeeded 2549'])
    expect(await eventsOf(harness, listingId)).toEqual(['SaleReleased'])
    expect(await cancel(harness, service, buyer, intent)).toMatchObject({ status: 200, body: { status: 'cancelled' } })
  })

  it('is found by the recheck when confirmation and webhook are missing', async () => {
    const { listingId } = await cancelledThenCharged()
    await makeDue(harness, listingId)
    await waitForStates(harness, listingId, ['refunded'])
    expect(await ledgerOf(harness, listingId)).toEqual([...lateCaptureEntries, ...refundPaidEntries])
  })
})

describe('the refund of a payment after the release', () => {
  it('is made again when a recheck finds that it failed later', async () => {
    const { listingId, intent } = await cancelledThenCharged()
    await makeDue(harness, listingId)
    await waitForStates(harness, listingId, ['refunded'])
    const params = { payment_intent: intent.payment_intent_id } satisfies Stripe.RefundListParams
    harness.cards.failRefund((await harness.cards.stripe.refunds.list(params)).data[0]?.id ?? '')
    await sql`update transactions set recheck_at = recheck_at - interval '1 hour' where listing_id = ${listingId}`.execute(
      harness.db,
    )
    await eventually(async () => (await refundsOf(harness, intent)).length === 2)
    await waitForStates(harness, listingId, ['refunded'])
    expect(await refundsOf(harness, intent)).toEqual(['succeeded 2549', 'failed 2549'])
  })
})

describe('the recheck of a released sale', () => {
  const recheckOf = async (listingId: string) => {
    const sale = harness.db.selectFrom('transactions').select(['state', 'next_at']).where('listing_id', '=', listingId)
    const { state, next_at } = await sale.executeTakeFirstOrThrow()
    return [state, next_at === null ? 'done' : 'due']
  }

  it('is repeated until the provider responds', async () => {
    const { listingId, intent } = await cancelledThenCharged()
    harness.cards.faults.add({ kind: 'down', operation: 'retrieve', intent: intent.payment_intent_id, times: 12 })
    await makeDue(harness, listingId)
    await waitForStates(harness, listingId, ['refunded'])
    expect(await ledgerOf(harness, listingId)).toEqual([...lateCaptureEntries, ...refundPaidEntries])
  })

  it('is scheduled by a release and ends when the provider charged nothing', async () => {
    const { listingId } = harness.catalog.addItem()
    const buyer = randomUser()
    const intent = await openCheckout(harness, service, buyer, listingId)
    await cancel(harness, service, buyer, intent)
    expect(await recheckOf(listingId)).toEqual(['released', 'due'])
    await makeDue(harness, listingId)
    await eventually(async () => (await recheckOf(listingId))[1] === 'done')
    expect(await recheckOf(listingId)).toEqual(['released', 'done'])
  })

  it('stays scheduled for a sale that the sweeper released', async () => {
    const { listingId } = harness.catalog.addItem()
    await openCheckout(harness, service, randomUser(), listingId)
    await expireSales(harness, listingId)
    await waitForStates(harness, listingId, ['released'])
    expect(await recheckOf(listingId)).toEqual(['released', 'due'])
  })
})
