import { newId } from '@marketplace/kit/values/ids.ts'
import type { Service } from '@marketplace/kit/app/service.ts'
import { eventually } from '@marketplace/testing/eventually.ts'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import type { Harness } from '../testing/harness.ts'
import { startFastService } from '../testing/fast-service.ts'
import { balancesOf, paySale, recheckNow, refundAtProvider, refuseSale, transactionOf } from '../testing/paid-sales.ts'
import type { PaidSale } from '../testing/paid-sales.ts'
import { makeDue, waitForStates } from '../testing/sweeps.ts'
import { retryRefund } from './stuck-refunds.ts'

let harness: Harness
let service: Service

startFastService((started) => {
  harness = started.harness
  service = started.service
})

const owed = { provider: 2549, 'refund:due': -2549 }

const refundOf = ({ saleId }: PaidSale) =>
  harness.db.selectFrom('refunds').selectAll().where('sale_id', '=', saleId).executeTakeFirstOrThrow()
const waitForStuck = (sale: PaidSale) => eventually(async () => (await refundOf(sale)).stuck_at !== null)

/** Returns the number of different keys under which the sale's refund was requested. */
async function countAttempts(sale: PaidSale): Promise<number> {
  const { id } = await refundOf(sale)
  return new Set(harness.cards.requests.map(({ key }) => key).filter((key) => key?.startsWith(`refund:${id}`))).size
}
const countReads = ({ intentId }: PaidSale) =>
  harness.cards.requests.filter(({ path }) => path.startsWith('/v1/refunds?') && path.includes(intentId)).length

async function readStuckMetric(): Promise<string | undefined> {
  const { body } = await service.internalApp.inject('/metrics')
  return /^payments_stuck_refunds (.+)$/m.exec(body)?.[1]
}

async function seenByBoth({ buyer, seller }: PaidSale) {
  const [one, other] = await Promise.all([buyer, seller].map((user) => transactionOf(harness, service, user)))
  expect(other?.['is_refund_delayed']).toBe(one?.['is_refund_delayed'])
  return one
}

/** Makes the sale's refund as old as this many days. */
const age = (sale: PaidSale, days: number) =>
  sql`update refunds set created_at = clock_timestamp() - ${days} * interval '1 day' where sale_id = ${sale.saleId}`.execute(
    harness.db,
  )

describe('a refund that the provider rejects', () => {
  async function rejectRefunds(): Promise<PaidSale> {
    harness.cards.faults.add({ kind: 'refuse', operation: 'refund', times: 1_000_000 })
    const sale = await paySale(harness, service)
    await refuseSale(harness, sale)
    await waitForStuck(sale)
    return sale
  }

  it('TXN-07 is stuck after 20 attempts: it is no longer requested, and the operator and both sides see it', async () => {
    const sale = await rejectRefunds()
    const reads = countReads(sale)
    await eventually(() => countReads(sale) >= reads + 3)
    expect(await countAttempts(sale)).toBe(20)
    expect(await readStuckMetric()).toBe('1')
    expect(await seenByBoth(sale)).toMatchObject({
      status: 'cancelled',
      refunded_amount: 2549,
      is_refund_delayed: true,
    })
    expect(await balancesOf(harness, sale)).toEqual(owed)

    harness.cards.faults.clear()
    await refundAtProvider(harness, sale, 2549)
    await waitForStates(harness, sale.listingId, ['refunded'])
    expect(await seenByBoth(sale)).toMatchObject({ is_refund_delayed: false })
    expect(await readStuckMetric()).toBe('0')
    expect(await balancesOf(harness, sale)).toEqual({})
  })

  it('is requested again, at most 20 times, after an operator retried it', async () => {
    const sale = await rejectRefunds()
    const retry = () => retryRefund(harness.db, { saleId: sale.saleId, reason: 'The account has funds again.' })
    expect(await retry()).toBe(true)
    await eventually(async () => (await countAttempts(sale)) === 40)
    const reads = countReads(sale)
    await eventually(() => countReads(sale) >= reads + 3)
    expect(await countAttempts(sale)).toBe(40)

    harness.cards.faults.clear()
    expect(await retry()).toBe(true)
    await waitForStates(harness, sale.listingId, ['refunded'])
    expect(await seenByBoth(sale)).toMatchObject({ is_refund_delayed: false })
    const actions = harness.db.selectFrom('staff_actions').select(['action', 'staff_id', 'reason'])
    const action = { action: 'retry-refund', staff_id: null, reason: 'The account has funds again.' }
    expect(await actions.where('subject', '=', sale.saleId).execute()).toEqual([action, action])
    expect(await retry()).toBe(false)
  })

  it('cannot be retried while it is not stuck, or for an unknown sale', async () => {
    const sale = await paySale(harness, service)
    for (const saleId of [sale.saleId, newId()])
      expect(await retryRefund(harness.db, { saleId, reason: 'None.' })).toBe(false)
  })
})

describe('a refund that is pending at the provider', () => {
  it('TXN-07 is stuck after 14 days and then read each hour instead of each minute', async () => {
    await harness.close(service)
    service = await harness.start({ SWEEP_INTERVAL_MS: 50 })
    harness.cards.faults.add({ kind: 'slow_refund', ms: 3_600_000 })
    const sale = await paySale(harness, service)
    await refuseSale(harness, sale)
    const delayOf = async () => {
      const { rows } = await sql<{ delay: number }>`
        select round(extract(epoch from next_at - updated_at))::integer as delay from transactions
        where id = ${sale.saleId}`.execute(harness.db)
      return rows[0]?.delay
    }
    await eventually(async () => (await refundOf(sale)).state === 'pending' && (await delayOf()) === 60)
    await age(sale, 13.9)
    await makeDue(harness, sale.listingId)
    await eventually(async () => (await delayOf()) === 60)
    expect(await seenByBoth(sale)).toMatchObject({ status: 'cancelled', is_refund_delayed: false })

    await age(sale, 14)
    await waitForStuck(sale)
    await makeDue(harness, sale.listingId)
    await eventually(async () => (await delayOf()) === 3600)
    expect(await seenByBoth(sale)).toMatchObject({ refunded_amount: 2549, is_refund_delayed: true })
    expect(await retryRefund(harness.db, { saleId: sale.saleId, reason: 'Too late.' })).toBe(false)
    expect(await balancesOf(harness, sale)).toEqual(owed)
  })

  it('is stuck after 14 days when it is a part of a completed sale that also lost a dispute', async () => {
    const sale = await paySale(harness, service)
    harness.cards.faults.add({ kind: 'slow_refund', ms: 3_600_000 })
    await refundAtProvider(harness, sale, 1000)
    await recheckNow(harness, sale)
    await eventually(async () => (await seenByBoth(sale))?.['refunded_amount'] === 1000)
    const chargeBack = (cents: number) =>
      sql`update transactions set charged_back_cents = ${cents} where id = ${sale.saleId}`.execute(harness.db)
    // The database rejects changes of the refunds of such a sale unless they count the lost dispute.
    await chargeBack(1)
    await sql`alter table refunds disable trigger refunds_count_chargebacks`.execute(harness.db)
    await age(sale, 14)
    await sql`alter table refunds enable trigger refunds_count_chargebacks`.execute(harness.db)
    await waitForStuck(sale)
    await chargeBack(0)
    expect(await seenByBoth(sale)).toMatchObject({ status: 'completed', is_refund_delayed: true })
  })
})
