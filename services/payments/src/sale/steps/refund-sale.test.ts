import { Owner } from '@marketplace/contracts/gen/marketplace/sales/v1/sales_pb.ts'
import { newId } from '@marketplace/kit/values/ids.ts'
import type { Service } from '@marketplace/kit/app/service.ts'
import { eventually } from '@marketplace/testing/eventually.ts'
import { randomUser } from '@marketplace/testing/keys.ts'
import { sql } from 'kysely'
import type { Stripe } from 'stripe'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buy, call, confirm, openCheckout } from '../../testing/calls.ts'
import {
  captureEntries,
  eventsOf,
  refundPaidEntries,
  ledgerOf,
  refundOwedEntries,
  refundsOf,
  statesOf,
} from '../../testing/ledger.ts'
import { paySale } from '../../testing/paid-sales.ts'
import { saleRefused, startUpstreamEvents, type UpstreamEvents } from '../../testing/upstream-events.ts'
import type { Harness } from '../../testing/harness.ts'
import { startFastService } from '../../testing/fast-service.ts'
import { waitForStates, makeDue, fastSettings, sweepUntil } from '../../testing/sweeps.ts'

let harness: Harness
let service: Service
let upstream: UpstreamEvents

startFastService((started) => {
  harness = started.harness
  service = started.service
})
beforeAll(async () => {
  upstream = await startUpstreamEvents(harness)
})
afterAll(() => upstream.close())

async function metric(name: string): Promise<number> {
  const { body } = await service.internalApp.inject('/metrics')
  return Number(new RegExp(`^${name} (.+)$`, 'm').exec(body)?.[1])
}

const rowOf = (saleId: string) =>
  harness.db
    .selectFrom('transactions')
    .select(['faults', sql<number>`extract(epoch from next_at - updated_at)::float8`.as('delay')])
    .where('id', '=', saleId)
    .executeTakeFirstOrThrow()
const failedAttemptsOf = async (saleId: string) => (await rowOf(saleId)).faults
const delayOf = async (saleId: string) => Math.round((await rowOf(saleId)).delay)

const paidSale = (at = service) => paySale(harness, at)

/** Returns the distinct idempotency keys under which refunds of a sale were requested. */
async function refundKeysOf(saleId: string): Promise<string[]> {
  const refunds = await harness.db.selectFrom('refunds').select('id').where('sale_id', '=', saleId).execute()
  const keys = harness.cards.requests.map(({ key }) => key ?? '')
  return [...new Set(keys.filter((key) => refunds.some(({ id }) => key.startsWith(`refund:${id}`))))]
}

describe('a paid sale that the inventory service rejects', () => {
  it('is refunded and shown as cancelled to buyer and seller', async () => {
    const sale = await paidSale()
    await upstream.deliver(saleRefused(sale, Owner.CATALOG))
    await waitForStates(harness, sale.listingId, ['refunded'])
    expect(await ledgerOf(harness, sale.listingId)).toEqual([
      ...captureEntries,
      ...refundOwedEntries,
      ...refundPaidEntries,
    ])
    expect(await refundsOf(harness, sale.intent)).toEqual(['succeeded 2549'])
    expect(
      harness.cards.requests.filter(({ path, method }) => method === 'POST' && path === '/v1/refunds'),
    ).toContainEqual(expect.objectContaining({ key: (await refundKeysOf(sale.saleId))[0] }))
    const { body } = await call<object[]>(harness, service, sale.buyer, ['GET', '/api/transactions'])
    expect(body).toMatchObject([{ id: sale.saleId, status: 'cancelled' }])
    expect(await confirm(harness, service, sale.buyer, sale.intent)).toMatchObject({
      status: 409,
      body: { code: 'refunded' },
    })
    expect(await eventsOf(harness, sale.listingId)).toEqual(['PaymentSucceeded'])
  })

  it('is refunded once when the rejection is repeated', async () => {
    const sale = await paidSale()
    const event = saleRefused(sale, Owner.CATALOG)
    await upstream.deliver(event, event, saleRefused(sale, Owner.CATALOG))
    await waitForStates(harness, sale.listingId, ['refunded'])
    await upstream.deliver(saleRefused(sale, Owner.CATALOG))
    expect(await statesOf(harness, sale.listingId)).toEqual(['refunded'])
    expect(await ledgerOf(harness, sale.listingId)).toEqual([
      ...captureEntries,
      ...refundOwedEntries,
      ...refundPaidEntries,
    ])
    expect(await refundsOf(harness, sale.intent)).toEqual(['succeeded 2549'])
  })

  it('ignores a rejection of the other inventory service, and an unpaid sale ignores one', async () => {
    const sale = await paidSale()
    const { listingId } = harness.catalog.addItem()
    const buyer = randomUser()
    await openCheckout(harness, service, buyer, listingId)
    const { id: saleId } = await harness.db
      .selectFrom('transactions')
      .select('id')
      .where('listing_id', '=', listingId)
      .executeTakeFirstOrThrow()
    await upstream.deliver(saleRefused(sale, Owner.AUCTION), saleRefused({ saleId, listingId }, Owner.CATALOG))
    expect(await statesOf(harness, sale.listingId)).toEqual(['paid'])
    expect(await statesOf(harness, listingId)).toEqual(['payable'])
  })

  it('ignores a rejection of an inventory service of a later version, and fields of later versions', async () => {
    const sale = await paidSale()
    const rejection = saleRefused(sale, Owner.CATALOG)
    const withPayload = (fields: object) => {
      const payload = Object.assign({}, rejection.payload, fields)
      return { ...rejection, id: newId(), payload }
    }
    await upstream.deliver(withPayload({ owner: 'OWNER_OF_A_LATER_VERSION' }), withPayload({ owner: 99 }))
    expect(await statesOf(harness, sale.listingId)).toEqual(['paid'])
    expect(await upstream.countParked()).toBe(0)
    await upstream.deliver(withPayload({ addedLater: { anything: 1 } }))
    await waitForStates(harness, sale.listingId, ['refunded'])
  })

  it('is refunded after a rejection of an unknown sale is parked', async () => {
    const sale = await paidSale()
    const unknown = { saleId: newId(), listingId: sale.listingId }
    await upstream.deliver(saleRefused(unknown, Owner.CATALOG), saleRefused(sale, Owner.CATALOG))
    await waitForStates(harness, sale.listingId, ['refunded'])
    expect(await upstream.countParked()).toBe(1)
  })

  it('can be bought again after the refund', async () => {
    const sale = await paidSale()
    await upstream.deliver(saleRefused(sale, Owner.CATALOG))
    await waitForStates(harness, sale.listingId, ['refunded'])
    for (const hold of harness.catalog.holds.values()) if (hold.saleId === sale.saleId) hold.state = 'released'
    expect(await buy(harness, service, sale.buyer, sale.listingId)).toMatchObject({ status: 201 })
  })
})

describe('a refund during provider errors', () => {
  const rejectPaidSale = async () => {
    const sale = await paidSale()
    await upstream.deliver(saleRefused(sale, Owner.CATALOG))
    return sale
  }

  it('waits while the provider is down', async () => {
    harness.cards.faults.add({ kind: 'down', operation: 'refund', times: 1000 })
    harness.cards.faults.add({ kind: 'down', operation: 'read_refunds', times: 1000 })
    const { listingId, buyer, intent } = await rejectPaidSale()
    await waitForStates(harness, listingId, ['refunding'])
    expect(await ledgerOf(harness, listingId)).toEqual([...captureEntries, ...refundOwedEntries])
    expect(await confirm(harness, service, buyer, intent)).toMatchObject({ status: 409, body: { code: 'refunded' } })
    harness.cards.faults.clear()
    await waitForStates(harness, listingId, ['refunded'])
    expect(await refundsOf(harness, intent)).toEqual(['succeeded 2549'])
  })

  it.each(['time_out', 'error'] as const)('is made once when its response fails with %s', async (kind) => {
    const fault = { operation: 'refund', times: 3 } as const
    harness.cards.faults.add(kind === 'error' ? { kind, ...fault } : { kind, ms: 0, ...fault })
    const { listingId, intent } = await rejectPaidSale()
    await waitForStates(harness, listingId, ['refunded'])
    expect(await refundsOf(harness, intent)).toEqual(['succeeded 2549'])
  })

  it('is recorded only when the provider reports success', async () => {
    harness.cards.faults.add({ kind: 'slow_refund', ms: 3_600_000 })
    const { listingId, intent } = await rejectPaidSale()
    await eventually(async () => (await refundsOf(harness, intent)).includes('pending 2549'))
    expect(await statesOf(harness, listingId)).toEqual(['refunding'])
    const { data } = await harness.cards.stripe.refunds.list({
      payment_intent: intent.payment_intent_id,
    } satisfies Stripe.RefundListParams)
    harness.cards.applyOutcome(data[0]?.id ?? '')
    await waitForStates(harness, listingId, ['refunded'])
    expect(await refundsOf(harness, intent)).toEqual(['succeeded 2549'])
  })

  it('requests no second refund while the first is pending, even after a 500 response', async () => {
    harness.cards.faults.add({ kind: 'error', operation: 'refund' })
    harness.cards.faults.add({ kind: 'slow_refund', ms: 1500 })
    const { listingId, intent, saleId } = await rejectPaidSale()
    await waitForStates(harness, listingId, ['refunded'])
    expect(await refundsOf(harness, intent)).toEqual(['succeeded 2549'])
    const [key, ...others] = await refundKeysOf(saleId)
    expect([key, ...others]).toEqual([expect.stringMatching(/^refund:[^:]+$/)])
  })

  it('is requested again after each failure until one succeeds', async () => {
    harness.cards.faults.add({ kind: 'slow_refund', ms: 0, outcome: 'failed', times: 3 })
    const { listingId, intent } = await rejectPaidSale()
    await waitForStates(harness, listingId, ['refunded'])
    expect(await refundsOf(harness, intent)).toEqual(['succeeded 2549', 'failed 2549', 'failed 2549', 'failed 2549'])
    expect(await ledgerOf(harness, listingId)).toEqual([...captureEntries, ...refundOwedEntries, ...refundPaidEntries])
  })

  it('is requested under a new key after a 500 response without a refund', async () => {
    harness.cards.faults.add({ kind: 'refuse', operation: 'refund', times: 2 })
    const { listingId, intent, saleId } = await rejectPaidSale()
    await waitForStates(harness, listingId, ['refunded'])
    expect(await refundsOf(harness, intent)).toEqual(['succeeded 2549'])
    const keys = await refundKeysOf(saleId)
    expect(keys).toEqual([keys[0], `${keys[0]}:1`, `${keys[0]}:2`])
  })

  it('is retried with exponential backoff up to a limit', async () => {
    // The delays are so long that no retry becomes due before the sweeper is closed.
    const delays = { RETRY_DELAY_MS: 60_000, PAYMENT_SLOW_POLL_INTERVAL_MS: 3_600_000 }
    const generousTimeouts = await harness.start({
      SWEEP_INTERVAL_MS: 600_000,
      ...delays,
    })
    await harness.close(service)
    harness.cards.faults.add({ kind: 'refuse', operation: 'refund', times: 1000 })
    const minutes: number[] = []
    const sale = await paidSale(generousTimeouts)
    await upstream.deliver(saleRefused(sale, Owner.CATALOG))
    for (let round = 0; round < 8; round++) {
      await makeDue(harness, sale.listingId)
      const sweeper = await harness.start(delays)
      await eventually(async () => (await failedAttemptsOf(sale.saleId)) === round + 1)
      await harness.close(sweeper)
      minutes.push((await delayOf(sale.saleId)) / 60)
    }
    expect(minutes).toEqual([1, 2, 4, 8, 16, 32, 60, 60])
    harness.cards.faults.clear()
    await harness.close(generousTimeouts)
    service = await harness.start(fastSettings)
    await makeDue(harness, sale.listingId)
    await waitForStates(harness, sale.listingId, ['refunded'])
  })

  it('is counted in the metrics until it succeeds', async () => {
    // With the default the refund could be stuck before the test reads the metrics.
    const allowAttempts = (count: number) =>
      sql`alter table refunds alter column attempts_allowed set default ${sql.lit(count)}`.execute(harness.db)
    await allowAttempts(1_000_000)
    harness.cards.faults.add({ kind: 'refuse', operation: 'refund', times: 1000 })
    const failures = await metric('payments_refund_failures_total')
    const { listingId } = await rejectPaidSale()
    await eventually(async () => (await metric('payments_refund_failures_total')) > failures)
    expect(await metric('payments_refunding_sales')).toBe(1)
    expect(await metric('payments_oldest_refunding_age_seconds')).toBeGreaterThan(0)
    harness.cards.faults.clear()
    await waitForStates(harness, listingId, ['refunded'])
    expect(await metric('payments_refunding_sales')).toBe(0)
    expect(await metric('payments_oldest_refunding_age_seconds')).toBe(0)
    await allowAttempts(20)
  })
})

describe('a refund without a scheduled retry', () => {
  it('is made by the sweeper, because an earlier version left such rows', async () => {
    const sale = await paidSale()
    await harness.close(service)
    await harness.db
      .updateTable('transactions')
      .set({ state: 'refunding', next_at: null })
      .where('id', '=', sale.saleId)
      .execute()
    await sweepUntil(harness, sale.listingId, ['refunded'])
    // The sale was set to `refunding` without a `refund_owed` journal, so only the provider's refund is compared.
    expect(await refundsOf(harness, sale.intent)).toEqual(['succeeded 2549'])
    service = await harness.start(fastSettings)
  })
})
