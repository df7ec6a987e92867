import { transaction } from '@marketplace/kit/db/db.ts'
import type { Service } from '@marketplace/kit/app/service.ts'
import { eventually } from '@marketplace/testing/eventually.ts'
import { sql } from 'kysely'
import type { Stripe } from 'stripe'
import { describe, expect, it } from 'vitest'
import { applyRefunds } from '../../refund/apply-refunds.ts'
import { confirm } from '../../testing/calls.ts'
import { postWebhook } from '../../testing/fake-card-network.ts'
import { startFastService } from '../../testing/fast-service.ts'
import type { Harness } from '../../testing/harness.ts'
import { refundsOf, statesOf } from '../../testing/ledger.ts'
import {
  balancesOf,
  captured,
  paySale,
  recheckNow,
  refundAtProvider,
  refuseSale,
  type PaidSale,
} from '../../testing/paid-sales.ts'
import { fastSettings, makeDue, waitForStates } from '../../testing/sweeps.ts'

let harness: Harness
let service: Service

startFastService((started) => {
  harness = started.harness
  service = started.service
})

async function readRefundId({ saleId }: PaidSale): Promise<string> {
  const refunds = harness.db.selectFrom('refunds').select('id').where('sale_id', '=', saleId).orderBy('id')
  return (await refunds.executeTakeFirstOrThrow()).id
}

/** Returns the distinct suffixes of the keys under which a refund was requested. */
async function keySuffixesOf(sale: PaidSale): Promise<string[]> {
  const prefix = `refund:${await readRefundId(sale)}`
  const keys = harness.cards.requests.flatMap(({ key }) => (key?.startsWith(prefix) ? [key.slice(prefix.length)] : []))
  return [...new Set(keys)]
}

async function failedAttemptsOf({ saleId }: PaidSale): Promise<number> {
  const { faults } = await harness.db
    .selectFrom('transactions')
    .select('faults')
    .where('id', '=', saleId)
    .executeTakeFirstOrThrow()
  return faults
}

/** Sends a webhook about the sale's intent and waits until it is processed. */
async function sendWebhook({ intentId }: PaidSale, id: string): Promise<void> {
  await postWebhook(harness.cards, service, { id, type: 'charge.refunded', intentId })
  const events = harness.db.selectFrom('webhook_events').select('processed_at').where('id', '=', id)
  await eventually(async () => (await events.executeTakeFirst())?.processed_at)
}

async function newestRefundOf({ intentId }: PaidSale): Promise<string> {
  const params = { payment_intent: intentId } satisfies Stripe.RefundListParams
  return (await harness.cards.stripe.refunds.list(params)).data[0]?.id ?? ''
}

describe('a refund that succeeded after a rejection and then fails', () => {
  async function refundAtSecondAttempt(): Promise<PaidSale> {
    harness.cards.faults.add({ kind: 'refuse', operation: 'refund' })
    const sale = await paySale(harness, service)
    await refuseSale(harness, sale)
    return sale
  }
  async function failRefund(sale: PaidSale): Promise<void> {
    harness.cards.failRefund(await newestRefundOf(sale))
    await recheckNow(harness, sale)
    await eventually(async () => (await refundsOf(harness, sale.intent)).length === 2)
    await waitForStates(harness, sale.listingId, ['refunded'])
    expect(await refundsOf(harness, sale.intent)).toEqual(['succeeded 2549', 'failed 2549'])
    expect(await balancesOf(harness, sale)).toEqual({})
  }

  it('is made again once, under a key that was never used', async () => {
    const sale = await refundAtSecondAttempt()
    await waitForStates(harness, sale.listingId, ['refunded'])
    await failRefund(sale)
    expect(await keySuffixesOf(sale)).toEqual(['', ':1', ':2'])
  })

  it('is made again once when the provider repeats a response in which the refund is pending', async () => {
    harness.cards.faults.add({ kind: 'slow_refund', ms: 3_600_000 })
    const sale = await refundAtSecondAttempt()
    await eventually(async () => (await refundsOf(harness, sale.intent)).includes('pending 2549'))
    harness.cards.applyOutcome(await newestRefundOf(sale))
    await waitForStates(harness, sale.listingId, ['refunded'])
    await failRefund(sale)
    expect(await keySuffixesOf(sale)).toEqual(['', ':1', ':2'])
  })

  it.each(['succeeded', 'pending'])(
    'is made again once after the previous version chose a used key, whose stored response is %s',
    async (stored) => {
      if (stored === 'pending') harness.cards.faults.add({ kind: 'slow_refund', ms: 3_600_000 })
      const sale = await refundAtSecondAttempt()
      await eventually(async () => (await refundsOf(harness, sale.intent)).includes(`${stored} 2549`))
      if (stored === 'pending') harness.cards.applyOutcome(await newestRefundOf(sale))
      await waitForStates(harness, sale.listingId, ['refunded'])
      await sql`update transactions set faults = 0 where id = ${sale.saleId}`.execute(harness.db)
      await failRefund(sale)
      expect(await keySuffixesOf(sale)).toEqual(['', ':1', ':2'])
    },
  )
})

describe('a refund that the provider rejects', () => {
  it('is not requested by confirmations and webhooks before the sweeper’s next attempt', async () => {
    await harness.close(service)
    service = await harness.start({ SWEEP_INTERVAL_MS: 50, RETRY_DELAY_MS: 3_600_000 })
    harness.cards.faults.add({ kind: 'refuse', operation: 'refund', times: 1_000_000 })
    const sale = await paySale(harness, service)
    await refuseSale(harness, sale)
    await eventually(async () => (await failedAttemptsOf(sale)) === 1)
    for (let round = 0; round < 20; round++) {
      expect(await confirm(harness, service, sale.buyer, sale.intent)).toMatchObject({ body: { code: 'refunded' } })
      await sendWebhook(sale, `evt_rejected_${round}`)
    }
    expect(await failedAttemptsOf(sale)).toBe(1)
    expect(await keySuffixesOf(sale)).toEqual([''])

    harness.cards.faults.clear()
    await makeDue(harness, sale.listingId)
    await waitForStates(harness, sale.listingId, ['refunded'])
    expect(await refundsOf(harness, sale.intent)).toEqual(['succeeded 2549'])
    await harness.close(service)
    service = await harness.start(fastSettings)
  })

  it('and made in the dashboard is found by a webhook before the sweeper’s next attempt', async () => {
    await harness.close(service)
    service = await harness.start({ SWEEP_INTERVAL_MS: 50, RETRY_DELAY_MS: 3_600_000 })
    harness.cards.faults.add({ kind: 'refuse', operation: 'refund' })
    const sale = await paySale(harness, service)
    await refuseSale(harness, sale)
    await eventually(async () => (await failedAttemptsOf(sale)) === 1)
    await refundAtProvider(harness, sale)
    await sendWebhook(sale, 'evt_found')
    await waitForStates(harness, sale.listingId, ['refunded'])
    expect(await balancesOf(harness, sale)).toEqual({})
    await harness.close(service)
    service = await harness.start(fastSettings)
  })
})

describe('a refund whose key was used for another amount, in a call whose response was lost', () => {
  it('is requested under the next key', async () => {
    harness.cards.faults.add({ kind: 'down', operation: 'read_refunds', times: 1_000_000 })
    const sale = await paySale(harness, service)
    await refuseSale(harness, sale)
    const refundId = await readRefundId(sale)
    const params = {
      payment_intent: sale.intentId,
      amount: 1000,
      metadata: { refund: refundId },
    } satisfies Stripe.RefundCreateParams
    const options = { idempotencyKey: `refund:${refundId}` } satisfies Stripe.RequestOptions
    await harness.cards.stripe.refunds.create(params, options)
    harness.cards.faults.clear()
    await waitForStates(harness, sale.listingId, ['refunded'])
    expect(await refundsOf(harness, sale.intent)).toEqual(['succeeded 1549', 'succeeded 1000'])
    expect(await keySuffixesOf(sale)).toEqual(['', ':1'])
    expect(await statesOf(harness, sale.listingId)).toEqual(['refunded'])
    expect(await balancesOf(harness, sale)).toEqual({})
  })
})

describe('a list of refunds that contradicts itself', () => {
  it('is rejected and changes nothing', async () => {
    const sale = await paySale(harness, service)
    const made = (['pending', 'failed'] as const).map((status) => ({ id: 're_both', amount: 100, status }))
    const applying = transaction(harness.db, (trx) => applyRefunds(trx, sale.saleId, made))
    await expect(applying).rejects.toThrow('still differ')
    expect(await balancesOf(harness, sale)).toEqual(captured)
  })
})
