import { transaction } from '@marketplace/kit/db/db.ts'
import type { Service } from '@marketplace/kit/app/service.ts'
import { eventually } from '@marketplace/testing/eventually.ts'
import { describe, expect, it } from 'vitest'
import { openDisputes } from '../provider/disputes.ts'
import { openRefunds } from '../provider/refunds.ts'
import type { Harness } from '../testing/harness.ts'
import { startFastService } from '../testing/fast-service.ts'
import { refundsOf, statesOf } from '../testing/ledger.ts'
import {
  balancesOf,
  captured,
  paySale,
  recheckNow,
  refundAtProvider,
  refuseSale,
  transactionOf,
  waitForDispute,
  type PaidSale,
} from '../testing/paid-sales.ts'
import { runPersonalDataStep } from '../testing/personal-data.ts'
import { waitForStates } from '../testing/sweeps.ts'
import { applyDisputes } from './apply-disputes.ts'
import type { ProviderDispute } from './dispute.ts'

let harness: Harness
let service: Service

startFastService((started) => {
  harness = started.harness
  service = started.service
})

const readDisputes = ({ intentId }: PaidSale) => openDisputes(harness.cards.stripe).list(intentId)
const apply = ({ saleId }: PaidSale, made: readonly ProviderDispute[]) =>
  transaction(harness.db, (trx) => applyDisputes(trx, saleId, made))
const stored = (id: string) =>
  harness.db.selectFrom('disputes').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

async function refundRows({ saleId }: PaidSale) {
  return harness.db.selectFrom('refunds').select(['state', 'amount_cents']).where('sale_id', '=', saleId).execute()
}

async function openDispute(sale: PaidSale, amount?: number): Promise<string> {
  const id = harness.cards.dispute(sale.intentId, amount === undefined ? {} : { amount })
  await recheckNow(harness, sale)
  await waitForDispute(harness, id, 'needs_response')
  return id
}

async function newestRefundOf({ intentId }: PaidSale): Promise<string> {
  return (await openRefunds(harness.cards.stripe).list(intentId))[0]?.id ?? ''
}

async function endDispute(sale: PaidSale, id: string, outcome: 'won' | 'lost'): Promise<void> {
  harness.cards.endDispute(id, outcome)
  await recheckNow(harness, sale)
  await waitForDispute(harness, id, outcome)
}

describe('a refund that is owed during a dispute', () => {
  it('is not made when the dispute is lost, because the bank returned the money', async () => {
    const sale = await paySale(harness, service)
    const id = await openDispute(sale)
    await refuseSale(harness, sale)
    await eventually(async () => (await statesOf(harness, sale.listingId))[0] === 'refunding')
    expect(await refundRows(sale)).toEqual([{ state: 'owed', amount_cents: 2549 }])
    await endDispute(sale, id, 'lost')
    await waitForStates(harness, sale.listingId, ['refunded'])
    expect(await refundRows(sale)).toEqual([{ state: 'dropped', amount_cents: 2549 }])
    expect(await refundsOf(harness, sale.intent)).toEqual([])
    expect(await balancesOf(harness, sale)).toEqual({})
    expect(await transactionOf(harness, service, sale.buyer)).toMatchObject({ refunded_amount: 2549 })
  })

  it('is made for the rest when a part is lost', async () => {
    const sale = await paySale(harness, service)
    const id = await openDispute(sale, 1000)
    await refuseSale(harness, sale)
    await endDispute(sale, id, 'lost')
    await waitForStates(harness, sale.listingId, ['refunded'])
    expect(await refundsOf(harness, sale.intent)).toEqual(['succeeded 1549'])
    expect(await balancesOf(harness, sale)).toEqual({})
  })

  it('is made when the dispute is won', async () => {
    const sale = await paySale(harness, service)
    const id = await openDispute(sale)
    await refuseSale(harness, sale)
    await endDispute(sale, id, 'won')
    await waitForStates(harness, sale.listingId, ['refunded'])
    expect(await refundsOf(harness, sale.intent)).toEqual(['succeeded 2549'])
    expect(await balancesOf(harness, sale)).toEqual({})
  })
})

describe('a refund that is owed while the provider rejects refunds', () => {
  const countReads = ({ intentId }: PaidSale) =>
    harness.cards.requests.filter(({ path }) => path.startsWith('/v1/refunds?') && path.includes(intentId)).length
  const failedAttemptsOf = async ({ saleId }: PaidSale) =>
    (await harness.db.selectFrom('transactions').select('faults').where('id', '=', saleId).executeTakeFirst())?.faults

  it('is not requested and uses up no attempt until the dispute is won', async () => {
    const sale = await paySale(harness, service)
    const id = await openDispute(sale)
    await refuseSale(harness, sale)
    await eventually(() => countReads(sale) > 5)
    expect(await failedAttemptsOf(sale)).toBe(0)
    expect(await refundRows(sale)).toEqual([{ state: 'owed', amount_cents: 2549 }])
    await endDispute(sale, id, 'won')
    await waitForStates(harness, sale.listingId, ['refunded'])
    expect(await failedAttemptsOf(sale)).toBe(0)
    expect(await refundsOf(harness, sale.intent)).toEqual(['succeeded 2549'])
    expect(await balancesOf(harness, sale)).toEqual({})
  })

  it('is made during an inquiry, because the provider makes refunds then', async () => {
    const sale = await paySale(harness, service)
    const id = harness.cards.dispute(sale.intentId, { isInquiry: true })
    await recheckNow(harness, sale)
    await waitForDispute(harness, id, 'warning_needs_response')
    await refuseSale(harness, sale)
    await waitForStates(harness, sale.listingId, ['refunded'])
    expect(await refundsOf(harness, sale.intent)).toEqual(['succeeded 2549'])
    expect(await balancesOf(harness, sale)).toEqual({})
  })
})

describe('a refund that fails after a dispute was lost', () => {
  it('is not made again when the lost amount is the whole amount', async () => {
    const sale = await paySale(harness, service)
    const { id: refundId } = await refundAtProvider(harness, sale, 1000)
    const id = await openDispute(sale)
    await endDispute(sale, id, 'lost')
    harness.cards.failRefund(refundId)
    await recheckNow(harness, sale)
    await eventually(async () => (await refundRows(sale))[0]?.state === 'dropped')
    await waitForStates(harness, sale.listingId, ['refunded'])
    expect(await refundsOf(harness, sale.intent)).toEqual(['failed 1000'])
    expect(await balancesOf(harness, sale)).toEqual({})
    expect(await transactionOf(harness, service, sale.buyer)).toMatchObject({ refunded_amount: 2549 })
  })

  it('is made again for the part that the buyer does not have', async () => {
    const sale = await paySale(harness, service)
    const { id: refundId } = await refundAtProvider(harness, sale, 1000)
    const id = await openDispute(sale, 2000)
    await endDispute(sale, id, 'lost')
    await waitForStates(harness, sale.listingId, ['refunded'])
    harness.cards.failRefund(refundId)
    await recheckNow(harness, sale)
    await eventually(async () => (await refundsOf(harness, sale.intent)).includes('succeeded 549'))
    await waitForStates(harness, sale.listingId, ['refunded'])
    expect(await balancesOf(harness, sale)).toEqual({})
  })
})

describe('a refund that fails after each of two disputes was lost', () => {
  it('is made again each time for the part that the buyer does not have', async () => {
    const sale = await paySale(harness, service)
    await refuseSale(harness, sale)
    await waitForStates(harness, sale.listingId, ['refunded'])
    for (const [lost, left] of [
      [1000, 1549],
      [500, 1049],
    ] as const) {
      await endDispute(sale, await openDispute(sale, lost), 'lost')
      harness.cards.failRefund(await newestRefundOf(sale))
      await recheckNow(harness, sale)
      await eventually(async () => (await refundsOf(harness, sale.intent)).includes(`succeeded ${left}`))
      await waitForStates(harness, sale.listingId, ['refunded'])
    }
    expect(await refundsOf(harness, sale.intent)).toEqual(['succeeded 1049', 'failed 1549', 'failed 2549'])
    expect(await balancesOf(harness, sale)).toEqual({})
  })
})

describe('a dispute that is won after it was lost', () => {
  it('leaves the sale cancelled and the money on the account of disputes', async () => {
    const sale = await paySale(harness, service)
    const id = await openDispute(sale)
    await endDispute(sale, id, 'lost')
    await waitForStates(harness, sale.listingId, ['refunded'])
    await endDispute(sale, id, 'won')
    expect(await balancesOf(harness, sale)).toEqual({ provider: 2549, disputed: -2549 })
    expect(await statesOf(harness, sale.listingId)).toEqual(['refunded'])
    expect(await stored(id)).toMatchObject({ charged_back_cents: 2549, closed_at: expect.any(Date) })
    expect(await transactionOf(harness, service, sale.seller)).toMatchObject({ status: 'cancelled' })
  })
})

describe('a read of disputes that is older than the stored state', () => {
  it.each(['lost', 'won'] as const)('does not open again a dispute that was %s', async (outcome) => {
    const sale = await paySale(harness, service)
    const id = harness.cards.dispute(sale.intentId)
    const older = await readDisputes(sale)
    harness.cards.endDispute(id, outcome)
    expect(await apply(sale, await readDisputes(sale))).toContain('opened')
    const before = [await stored(id), await balancesOf(harness, sale)]
    expect(await apply(sale, older)).toEqual([])
    expect([await stored(id), await balancesOf(harness, sale)]).toEqual(before)
  })

  it('does not undo a win after a loss', async () => {
    const sale = await paySale(harness, service)
    const id = harness.cards.dispute(sale.intentId)
    harness.cards.endDispute(id, 'lost')
    const older = await readDisputes(sale)
    await apply(sale, older)
    harness.cards.endDispute(id, 'won')
    expect(await apply(sale, await readDisputes(sale))).toContain('won_after_loss')
    const before = [await stored(id), await balancesOf(harness, sale)]
    expect(await apply(sale, older)).toEqual([])
    expect([await stored(id), await balancesOf(harness, sale)]).toEqual(before)
  })

  it('that lacks the withdrawal does not open a lost dispute again', async () => {
    const sale = await paySale(harness, service)
    const id = harness.cards.dispute(sale.intentId, { isWithdrawn: false })
    harness.cards.endDispute(id, 'lost')
    const older = await readDisputes(sale)
    harness.cards.withdrawDispute(id)
    await apply(sale, await readDisputes(sale))
    expect(await apply(sale, older)).toEqual([])
    expect(await stored(id)).toMatchObject({ closed_at: expect.any(Date), next_at: null })
    expect(await balancesOf(harness, sale)).toEqual({})
  })
})

describe('an inquiry that was closed', () => {
  async function closeInquiry() {
    const sale = await paySale(harness, service)
    const id = harness.cards.dispute(sale.intentId, { isInquiry: true })
    const older = await readDisputes(sale)
    harness.cards.endDispute(id, 'lost')
    await apply(sale, await readDisputes(sale))
    return { sale, id, older }
  }

  it('is a dispute when the provider reports one and withdraws the money', async () => {
    const { sale, id } = await closeInquiry()
    expect(await stored(id)).toMatchObject({ state: 'warning_closed', next_at: null })
    harness.cards.withdrawDispute(id)
    const escalated = (await readDisputes(sale)).map((one) => ({ ...one, status: 'needs_response' }))
    expect(await apply(sale, escalated)).toEqual(['withdrawn'])
    expect(await stored(id)).toMatchObject({ state: 'needs_response', closed_at: null, next_at: expect.any(Date) })
    expect(await balancesOf(harness, sale)).toMatchObject({ disputed: 2549, seller: -2349 })
  })

  it('stays closed after an older read', async () => {
    const { sale, id, older } = await closeInquiry()
    expect(await apply(sale, older)).toEqual([])
    expect(await stored(id)).toMatchObject({ state: 'warning_closed', next_at: null })
  })
})

describe('the erasure of a buyer', () => {
  it('is refused while a dispute is open, and completes after it ended', async () => {
    const sale = await paySale(harness, service)
    const { userId } = sale.buyer
    const id = await openDispute(sale)
    expect(await runPersonalDataStep(harness, userId, 'ask')).toEqual(['Payments or refunds are still open: 1.'])
    await endDispute(sale, id, 'won')
    expect(await balancesOf(harness, sale)).toEqual(captured)
    expect(await runPersonalDataStep(harness, userId, 'ask')).toEqual([])
    expect(await runPersonalDataStep(harness, userId, 'erase')).toMatchObject({ 'payment methods': 1 })
  })

  it('that was accepted before a dispute waits until the dispute has ended', async () => {
    const sale = await paySale(harness, service)
    const { userId } = sale.buyer
    expect(await runPersonalDataStep(harness, userId, 'ask')).toEqual([])
    const id = await openDispute(sale)
    await expect(runPersonalDataStep(harness, userId, 'erase')).rejects.toThrow()
    const { payment_method: method } = await harness.db
      .selectFrom('transactions')
      .select('payment_method')
      .where('id', '=', sale.saleId)
      .executeTakeFirstOrThrow()
    expect(method).toBe('card')
    await endDispute(sale, id, 'lost')
    expect(await runPersonalDataStep(harness, userId, 'erase')).toMatchObject({ 'payment methods': 1 })
  })
})
