import { Owner } from '@marketplace/contracts/gen/marketplace/sales/v1/sales_pb.ts'
import { newId } from '@marketplace/kit/ids.ts'
import type { Service } from '@marketplace/kit/service.ts'
import { eventually } from '@marketplace/testing/eventually.ts'
import { someone } from '@marketplace/testing/keys.ts'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { checkBooks } from '../testing/books.ts'
import { buy, call, confirm, openCheckout } from '../testing/calls.ts'
import { captured, eventsOf, givenBack, ledgerOf, owed, refundsOf, statesOf } from '../testing/ledger.ts'
import { saleRefused, startMessenger, type Messenger } from '../testing/news.ts'
import { startStand, type Stand } from '../testing/stand.ts'
import { becomes, makeDue, quick, sweepUntil } from '../testing/time.ts'

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

describe('a paid sale that its owner refuses', () => {
  it('gives the buyer the money back, and is cancelled for both sides', async () => {
    const sale = await paidSale()
    await messenger.deliver(saleRefused(sale, Owner.CATALOG))
    await becomes(stand, sale.listingId, ['refunded'])
    expect(await ledgerOf(stand, sale.listingId)).toEqual([...captured, ...owed, ...givenBack])
    expect(await refundsOf(stand, sale.intent)).toEqual(['succeeded 2549'])
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
    expect(await refundsOf(stand, sale.intent)).toEqual(['succeeded 2549'])
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
    expect(await refundsOf(stand, intent)).toEqual(['succeeded 2549'])
  })

  it.each(['time_out', 'error'] as const)('is made once when its answer is a %s', async (kind) => {
    const fault = { operation: 'refund', times: 3 } as const
    stand.cards.faults.add(kind === 'error' ? { kind, ...fault } : { kind, ms: 0, ...fault })
    const { listingId, intent } = await refuse()
    await becomes(stand, listingId, ['refunded'])
    expect(await refundsOf(stand, intent)).toEqual(['succeeded 2549'])
  })

  it('is believed when the provider says that it came through, not before', async () => {
    stand.cards.faults.add({ kind: 'slow_refund', ms: 600 })
    const { listingId, intent } = await refuse()
    await eventually(async () => (await refundsOf(stand, intent)).includes('pending 2549'))
    expect(await statesOf(stand, listingId)).toEqual(['refunding'])
    await becomes(stand, listingId, ['refunded'])
    expect(await refundsOf(stand, intent)).toEqual(['succeeded 2549'])
  })

  it('that failed, again and again, is asked for anew until it came through', async () => {
    stand.cards.faults.add({ kind: 'slow_refund', ms: 0, outcome: 'failed', times: 3 })
    const { listingId, intent } = await refuse()
    await becomes(stand, listingId, ['refunded'])
    expect(await refundsOf(stand, intent)).toEqual(['succeeded 2549', 'failed 2549', 'failed 2549', 'failed 2549'])
    expect(await ledgerOf(stand, listingId)).toEqual([...captured, ...owed, ...givenBack])
  })

  it('that is answered 500 with nothing made, which its key keeps, is asked for under another', async () => {
    stand.cards.faults.add({ kind: 'refuse', operation: 'refund', times: 2 })
    const { listingId, intent, saleId } = await refuse()
    await becomes(stand, listingId, ['refunded'])
    expect(await refundsOf(stand, intent)).toEqual(['succeeded 2549'])
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
    expect(await refundsOf(stand, sale.intent)).toEqual(['succeeded 2549'])
    service = await stand.start(quick)
  })
})
