import type { Service } from '@marketplace/kit/service.ts'
import { eventually } from '@marketplace/testing/eventually.ts'
import { someone } from '@marketplace/testing/keys.ts'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { checkBooks } from '../testing/books.ts'
import { cancel, confirm, openCheckout } from '../testing/calls.ts'
import { eventsOf, givenBack, lateCaptured, ledgerOf, refundsOf } from '../testing/ledger.ts'
import { startStand, type Stand } from '../testing/stand.ts'
import { becomes, lapse, makeDue, quick } from '../testing/time.ts'

let stand: Stand
let service: Service

beforeAll(async () => {
  stand = await startStand()
  service = await stand.start(quick)
})
afterEach(async () => {
  stand.cards.faults.clear()
  await checkBooks(stand)
})
afterAll(() => stand.stop())

async function cancelledThenCharged() {
  const { listingId } = stand.catalog.addItem()
  const buyer = someone()
  const intent = await openCheckout(stand, service, buyer, listingId)
  stand.cards.faults.add({ kind: 'succeed_after_cancel', ms: 0, intent: intent.payment_intent_id })
  expect(await cancel(stand, service, buyer, intent)).toMatchObject({ status: 200, body: { status: 'cancelled' } })
  // Asked any sooner, the provider knows of nothing yet.
  await eventually(async () => {
    const { status } = await stand.cards.stripe.paymentIntents.retrieve(intent.payment_intent_id)
    return status === 'succeeded'
  })
  return { listingId, buyer, intent }
}

// Turns red without the state in `move` (sale-moves.repo.ts): a second journal of a kind is refused, and answered 500.
describe('a success after the release', () => {
  it('is booked as owed and given back, once, though 20 look at it at once', async () => {
    const { listingId, buyer, intent } = await cancelledThenCharged()
    const presses = Array.from({ length: 20 }, () => confirm(stand, service, buyer, intent))
    expect(new Set((await Promise.all(presses)).map(({ body }) => body['code']))).toEqual(new Set(['refunded']))
    await becomes(stand, listingId, ['refunded'])
    expect(await ledgerOf(stand, listingId)).toEqual([...lateCaptured, ...givenBack])
    expect(await refundsOf(stand, intent)).toEqual(['succeeded 2549'])
    expect(await eventsOf(stand, listingId)).toEqual(['SaleReleased'])
    expect(await cancel(stand, service, buyer, intent)).toMatchObject({ status: 200, body: { status: 'cancelled' } })
  })

  it('is found though browser and webhook are gone: the provider is asked once more', async () => {
    const { listingId } = await cancelledThenCharged()
    await makeDue(stand, listingId)
    await becomes(stand, listingId, ['refunded'])
    expect(await ledgerOf(stand, listingId)).toEqual([...lateCaptured, ...givenBack])
  })
})

describe('the last look at a released sale', () => {
  const lookOf = async (listingId: string) => {
    const sale = stand.db.selectFrom('transactions').select(['state', 'next_at']).where('listing_id', '=', listingId)
    const { state, next_at } = await sale.executeTakeFirstOrThrow()
    return [state, next_at === null ? 'over' : 'due']
  }

  it('is taken again until the provider has answered', async () => {
    const { listingId, intent } = await cancelledThenCharged()
    stand.cards.faults.add({ kind: 'down', operation: 'retrieve', intent: intent.payment_intent_id, times: 12 })
    await makeDue(stand, listingId)
    await becomes(stand, listingId, ['refunded'])
    expect(await ledgerOf(stand, listingId)).toEqual([...lateCaptured, ...givenBack])
  })

  it('is the last where the provider took nothing, and is still to come after a release', async () => {
    const { listingId } = stand.catalog.addItem()
    const buyer = someone()
    const intent = await openCheckout(stand, service, buyer, listingId)
    await cancel(stand, service, buyer, intent)
    expect(await lookOf(listingId)).toEqual(['released', 'due'])
    await makeDue(stand, listingId)
    await eventually(async () => (await lookOf(listingId))[1] === 'over')
    expect(await lookOf(listingId)).toEqual(['released', 'over'])
  })

  it('is still to come for one that the sweeper itself released', async () => {
    const { listingId } = stand.catalog.addItem()
    await openCheckout(stand, service, someone(), listingId)
    await lapse(stand, listingId)
    await becomes(stand, listingId, ['released'])
    expect(await lookOf(listingId)).toEqual(['released', 'due'])
  })
})
