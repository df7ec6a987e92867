import { Owner } from '@marketplace/contracts/gen/marketplace/sales/v1/sales_pb.ts'
import { newId } from '@marketplace/kit/ids.ts'
import type { Service } from '@marketplace/kit/service.ts'
import { eventually } from '@marketplace/testing/eventually.ts'
import { someone } from '@marketplace/testing/keys.ts'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { checkBooks } from '../testing/books.ts'
import { buy, call, cancel, confirm, openCheckout } from '../testing/calls.ts'
import { captured, eventsOf, givenBack, lateCaptured, ledgerOf, owed, statesOf } from '../testing/ledger.ts'
import { saleRefused, startMessenger, type Messenger } from '../testing/news.ts'
import { startStand, type Stand } from '../testing/stand.ts'
import { becomes, lapse, makeDue, sweepUntil } from '../testing/time.ts'

let stand: Stand
let service: Service
let messenger: Messenger

beforeAll(async () => {
  stand = await startStand()
  service = await stand.start(quick)
  messenger = await startMessenger(stand)
})
afterEach(async () => {
  stand.cards.faults.clear()
  await checkBooks(stand)
})
afterAll(async () => {
  await messenger.close()
  await stand.stop()
})

const quick = {
  SWEEP_EVERY_MS: 50,
  RETRY_MS: 50,
  PAYABLE_POLL_MS: 50,
  PAYABLE_SLOW_POLL_MS: 50,
}

async function metric(name: string): Promise<number> {
  const { body } = await service.internalApp.inject('/metrics')
  return Number(new RegExp(`^${name} (.+)$`, 'm').exec(body)?.[1])
}

const rowOf = (saleId: string) =>
  stand.db
    .selectFrom('transactions')
    .select(['faults', sql<number>`extract(epoch from next_at - updated_at)::float8`.as('pause')])
    .where('id', '=', saleId)
    .executeTakeFirstOrThrow()
const faultsOf = async (saleId: string) => (await rowOf(saleId)).faults
const pauseOf = async (saleId: string) => Math.round((await rowOf(saleId)).pause)

async function paidSale(at = service) {
  const { listingId } = stand.catalog.addItem()
  const buyer = someone()
  const intent = await openCheckout(stand, at, buyer, listingId)
  await stand.cards.pay(intent)
  const { body } = await confirm(stand, at, buyer, intent)
  return { listingId, buyer, intent, saleId: body['id'] ?? '' }
}

const refundsOf = async (intent: { payment_intent_id: string }) =>
  (await stand.cards.stripe.refunds.list({ payment_intent: intent.payment_intent_id })).data.map(
    ({ amount, status }) => `${status} ${amount}`,
  )

describe('a paid sale that its owner refuses', () => {
  it('gives the buyer the money back, and is cancelled for both sides', async () => {
    const sale = await paidSale()
    await messenger.deliver(saleRefused(sale, Owner.CATALOG))
    await becomes(stand, sale.listingId, ['refunded'])
    expect(await ledgerOf(stand, sale.listingId)).toEqual([...captured, ...owed, ...givenBack])
    expect(await refundsOf(sale.intent)).toEqual(['succeeded 2549'])
    expect(stand.cards.seen.filter(({ path, method }) => method === 'POST' && path === '/v1/refunds')).toContainEqual(
      expect.objectContaining({ key: `${sale.saleId}:refund` }),
    )
    const { body } = await call<object[]>(stand, service, sale.buyer, ['GET', '/api/transactions'])
    expect(body).toMatchObject([{ id: sale.saleId, status: 'cancelled' }])
    expect(await confirm(stand, service, sale.buyer, sale.intent)).toMatchObject({
      status: 409,
      body: { code: 'refunded' },
    })
    expect(await eventsOf(stand, sale.listingId)).toEqual(['PaymentSucceeded'])
  })

  it('is refunded once, however often the refusal comes', async () => {
    const sale = await paidSale()
    const event = saleRefused(sale, Owner.CATALOG)
    await messenger.deliver(event, event, saleRefused(sale, Owner.CATALOG))
    await becomes(stand, sale.listingId, ['refunded'])
    await messenger.deliver(saleRefused(sale, Owner.CATALOG))
    expect(await statesOf(stand, sale.listingId)).toEqual(['refunded'])
    expect(await ledgerOf(stand, sale.listingId)).toEqual([...captured, ...owed, ...givenBack])
    expect(await refundsOf(sale.intent)).toEqual(['succeeded 2549'])
  })

  it('is left alone by a refusal of somebody who is not its owner, and by one of an unpaid sale', async () => {
    const sale = await paidSale()
    const { listingId } = stand.catalog.addItem()
    const buyer = someone()
    await openCheckout(stand, service, buyer, listingId)
    const { id: saleId } = await stand.db
      .selectFrom('transactions')
      .select('id')
      .where('listing_id', '=', listingId)
      .executeTakeFirstOrThrow()
    await messenger.deliver(saleRefused(sale, Owner.AUCTION), saleRefused({ saleId, listingId }, Owner.CATALOG))
    expect(await statesOf(stand, sale.listingId)).toEqual(['paid'])
    expect(await statesOf(stand, listingId)).toEqual(['payable'])
  })

  it('that is not known is parked, and what follows is taken', async () => {
    const sale = await paidSale()
    const unknown = { saleId: newId(), listingId: sale.listingId }
    await messenger.deliver(saleRefused(unknown, Owner.CATALOG), saleRefused(sale, Owner.CATALOG))
    await becomes(stand, sale.listingId, ['refunded'])
    expect(await messenger.parked()).toBe(1)
  })

  it('frees the item for the next buyer', async () => {
    const sale = await paidSale()
    await messenger.deliver(saleRefused(sale, Owner.CATALOG))
    await becomes(stand, sale.listingId, ['refunded'])
    for (const hold of stand.catalog.holds.values()) if (hold.saleId === sale.saleId) hold.state = 'released'
    expect(await buy(stand, service, sale.buyer, sale.listingId)).toMatchObject({ status: 201 })
  })
})

describe('a refund while the provider is at fault', () => {
  const refuse = async () => {
    const sale = await paidSale()
    await messenger.deliver(saleRefused(sale, Owner.CATALOG))
    return sale
  }

  it('waits while the provider is down', async () => {
    stand.cards.faults.add({ kind: 'down', operation: 'refund', times: 1000 })
    stand.cards.faults.add({ kind: 'down', operation: 'read_refunds', times: 1000 })
    const { listingId, buyer, intent } = await refuse()
    await becomes(stand, listingId, ['refunding'])
    expect(await ledgerOf(stand, listingId)).toEqual([...captured, ...owed])
    expect(await confirm(stand, service, buyer, intent)).toMatchObject({ status: 409, body: { code: 'refunded' } })
    stand.cards.faults.clear()
    await becomes(stand, listingId, ['refunded'])
    expect(await refundsOf(intent)).toEqual(['succeeded 2549'])
  })

  it.each(['time_out', 'error'] as const)('is made once when its answer is a %s', async (kind) => {
    const fault = { operation: 'refund', times: 3 } as const
    stand.cards.faults.add(kind === 'error' ? { kind, ...fault } : { kind, ms: 0, ...fault })
    const { listingId, intent } = await refuse()
    await becomes(stand, listingId, ['refunded'])
    expect(await refundsOf(intent)).toEqual(['succeeded 2549'])
  })

  it('is believed when the provider says that it came through, not before', async () => {
    stand.cards.faults.add({ kind: 'slow_refund', ms: 600 })
    const { listingId, intent } = await refuse()
    await eventually(async () => (await refundsOf(intent)).includes('pending 2549'))
    expect(await statesOf(stand, listingId)).toEqual(['refunding'])
    await becomes(stand, listingId, ['refunded'])
    expect(await refundsOf(intent)).toEqual(['succeeded 2549'])
  })

  it('that failed, again and again, is asked for anew until it came through', async () => {
    stand.cards.faults.add({ kind: 'slow_refund', ms: 0, outcome: 'failed', times: 3 })
    const { listingId, intent } = await refuse()
    await becomes(stand, listingId, ['refunded'])
    expect(await refundsOf(intent)).toEqual(['succeeded 2549', 'failed 2549', 'failed 2549', 'failed 2549'])
    expect(await ledgerOf(stand, listingId)).toEqual([...captured, ...owed, ...givenBack])
  })

  it('that is answered 500 with nothing made, which its key keeps, is asked for under another', async () => {
    stand.cards.faults.add({ kind: 'refuse', operation: 'refund', times: 2 })
    const { listingId, intent, saleId } = await refuse()
    await becomes(stand, listingId, ['refunded'])
    expect(await refundsOf(intent)).toEqual(['succeeded 2549'])
    const keys = stand.cards.seen.map(({ key }) => key ?? '').filter((key) => key.startsWith(`${saleId}:refund`))
    expect([...new Set(keys)]).toEqual([`${saleId}:refund`, `${saleId}:refund:1`, `${saleId}:refund:2`])
  })

  it('is tried ever more seldom', async () => {
    const patient = await stand.start({ SWEEP_EVERY_MS: 600_000, RETRY_MS: 1000, PAYABLE_SLOW_POLL_MS: 60_000 })
    await stand.close(service)
    stand.cards.faults.add({ kind: 'refuse', operation: 'refund', times: 1000 })
    const pauses: number[] = []
    const sale = await paidSale(patient)
    await messenger.deliver(saleRefused(sale, Owner.CATALOG))
    for (let round = 0; round < 8; round++) {
      await makeDue(stand, sale.listingId)
      const sweeper = await stand.start({ RETRY_MS: 1000, PAYABLE_SLOW_POLL_MS: 60_000 })
      await eventually(async () => (await faultsOf(sale.saleId)) === round + 1)
      await stand.close(sweeper)
      pauses.push(await pauseOf(sale.saleId))
    }
    expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 60, 60])
    stand.cards.faults.clear()
    await stand.close(patient)
    service = await stand.start(quick)
    await makeDue(stand, sale.listingId)
    await becomes(stand, sale.listingId, ['refunded'])
  })

  it('shows in the metrics until it came through', async () => {
    stand.cards.faults.add({ kind: 'refuse', operation: 'refund', times: 1000 })
    const failures = await metric('payments_refund_failures_total')
    const { listingId } = await refuse()
    await eventually(async () => (await metric('payments_refund_failures_total')) > failures)
    expect(await metric('payments_refunding_sales')).toBe(1)
    expect(await metric('payments_oldest_refunding_age_seconds')).toBeGreaterThan(0)
    stand.cards.faults.clear()
    await becomes(stand, listingId, ['refunded'])
    expect(await metric('payments_refunding_sales')).toBe(0)
    expect(await metric('payments_oldest_refunding_age_seconds')).toBe(0)
  })
})

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
    expect(await refundsOf(intent)).toEqual(['succeeded 2549'])
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

describe('a refund that nobody is set to look at', () => {
  it('is taken up by the sweeper: the release before left them so', async () => {
    const sale = await paidSale()
    await stand.close(service)
    await stand.db
      .updateTable('transactions')
      .set({ state: 'refunding', next_at: null })
      .where('id', '=', sale.saleId)
      .execute()
    await sweepUntil(stand, sale.listingId, ['refunded'])
    // Booked as it was left, without what it owed; the checker of the books tells.
    expect(await refundsOf(sale.intent)).toEqual(['succeeded 2549'])
    service = await stand.start(quick)
  })
})
