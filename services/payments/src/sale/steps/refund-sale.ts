import { transaction } from '@marketplace/kit/db/db.ts'
import { counter } from '@marketplace/kit/telemetry/metrics.ts'
import { DomainError } from '@marketplace/kit/errors/problem.ts'
import type { Context } from '../../context.ts'
import type { Trx } from '../../db.ts'
import { blocksRefunds } from '../../dispute/dispute.ts'
import { listDisputes } from '../../dispute/disputes.repo.ts'
import { postJournal } from '../../ledger/ledger.repo.ts'
import { refundOwed, refundShareOwed } from '../../ledger/ledger.ts'
import { applyRefunds, insertOwedRefund } from '../../refund/apply-refunds.ts'
import type { ProviderRefund, Refund } from '../../refund/refund.ts'
import { listRefunds } from '../../refund/refunds.repo.ts'
import { markStuck } from '../../refund/stuck-refunds.repo.ts'
import { ProviderError } from '../../provider/provider-call.ts'
import type { RefundStatus } from '../../provider/refunds.ts'
import { markRefunding, postpone, recordProviderError } from '../sale-transitions.repo.ts'
import { intentIdOf, refundKey, termsOf, type InventoryService, type Sale } from '../sale.ts'
import { lockSale } from '../sales.repo.ts'
import { idle, type StepResult } from './step-result.ts'

const refundFailures = counter('payments_refund_failures_total', 'Refunds that the provider refused or failed to make.')

/**
 * Records that a paid sale must be refunded, because the inventory service does not have the item. The sweeper requests
 * the refund from the provider.
 */
export async function recordRefundDue(
  trx: Trx,
  rejected: { saleId: string; inventoryService: InventoryService | null },
): Promise<void> {
  const sale = await lockSale(trx, rejected.saleId)
  if (sale.state !== 'paid' || sale.inventoryService !== rejected.inventoryService) return
  const { amount } = termsOf(sale)
  await markRefunding(trx, sale, { paymentMethod: sale.paymentMethod, retryMs: 0 })
  const before = sale.refundedAmount + sale.chargedBackAmount
  const left = amount - before
  const id = await insertOwedRefund(trx, sale.id, left)
  const owed = left === amount ? refundOwed(termsOf(sale)) : refundShareOwed(termsOf(sale), before, amount)
  await postJournal(trx, sale.id, owed, id)
}

/**
 * Refunds the buyer. A refund counts as succeeded only if the provider lists it as succeeded. A failed refund is
 * retried under a new idempotency key with exponential backoff. After 20 failed attempts, the refund is stuck and no
 * longer requested. The provider's refunds are still read, because an operator might make the refund there. While a
 * dispute is open, the refund is not requested either, because the provider would reject it.
 */
export async function refundSale(ctx: Context, sale: Sale): Promise<StepResult> {
  const { status, attempts } = await refundAtProvider(ctx, sale)
  if (status === 'succeeded') return null
  if (status === 'failed' || status === 'rejected') {
    refundFailures.inc()
    ctx.log.error({ saleId: sale.id, tries: attempts }, 'refund failed')
  }
  if (status === 'rejected') {
    await recordProviderError(ctx.db, sale, backoffMs(ctx, attempts))
    return idle(sale)
  }
  const postponed = await postpone(ctx.db, sale, retryDelayMs(ctx, status, attempts))
  return postponed ? idle(postponed) : null
}

interface RefundAttempt {
  /**
   * Status of the refund. `succeeded`: the sale is refunded in full. `failed`: the provider lists a failed refund.
   * `rejected`: the provider created no refund. `unknown`: the provider was unavailable. `stuck`: an operator must
   * examine the refund. `disputed`: no refund was requested, because the provider rejects refunds during a dispute.
   */
  status: RefundStatus | 'rejected' | 'unknown' | 'stuck' | 'disputed'
  /** Number of failed attempts: failed refunds plus provider errors. */
  attempts: number
}

async function refundAtProvider(ctx: Context, sale: Sale): Promise<RefundAttempt> {
  const { provider } = ctx
  const intentId = intentIdOf(sale)
  let attempts = sale.failedAttempts
  try {
    const made = await provider.refunds.list(intentId)
    attempts += made.filter(({ status }) => status === 'failed').length
    const owed = await applyAndFindOwed(ctx, sale, made)
    if (owed === 'done') return { status: 'succeeded', attempts }
    if (typeof owed === 'string') return { status: owed, attempts }
    if (attempts >= owed.attemptsAllowed) {
      const isNew = await transaction(ctx.db, (trx) => markStuck(trx, owed.id, attempts))
      if (isNew) ctx.log.error({ saleId: sale.id }, 'refund stuck')
      return { status: 'stuck', attempts }
    }
    const { id: refundId, amount } = owed
    const created = await provider.refunds.create({ intentId, amount, refundId, key: refundKey(refundId, attempts) })
    // The provider can repeat its response to an earlier call, whose refund has failed since.
    if (!created || made.some(({ id }) => id === created.id)) return { status: 'rejected', attempts }
    if (created.status === 'failed') return { status: 'failed', attempts }
    const rest = await applyAndFindOwed(ctx, sale, [created, ...made])
    return { status: rest === 'done' ? 'succeeded' : 'pending', attempts }
  } catch (error) {
    if (error instanceof ProviderError) return { status: 'rejected', attempts }
    if (error instanceof DomainError && error.kind === 'unavailable') return { status: 'unknown', attempts }
    throw error
  }
}

// Applies the provider's refunds to the sale. Returns the refund still to be requested, `done` if the sale is refunded
// in full, `disputed` if it must wait for a dispute, `stuck` if a refund at the provider takes too long, otherwise
// `pending`.
async function applyAndFindOwed(
  ctx: Context,
  { id }: Sale,
  made: readonly ProviderRefund[],
): Promise<Refund | 'done' | 'pending' | 'stuck' | 'disputed'> {
  return transaction(ctx.db, async (trx) => {
    const { sale } = await applyRefunds(trx, id, made)
    if (sale.state !== 'refunding') {
      ctx.log.info({ saleId: id }, 'sale refunded')
      return 'done'
    }
    const refunds = await listRefunds(trx, id)
    const owed = refunds.find(({ state }) => state === 'owed')
    if (owed) return (await listDisputes(trx, id)).some(blocksRefunds) ? 'disputed' : owed
    return refunds.some(({ isStuck }) => isStuck) ? 'stuck' : 'pending'
  })
}

function retryDelayMs(
  ctx: Context,
  status: Exclude<RefundAttempt['status'], 'succeeded' | 'rejected'>,
  attempts: number,
): number {
  if (status === 'stuck' || status === 'disputed') return ctx.settings.PAYMENT_SLOW_POLL_INTERVAL_MS
  const backoff = backoffMs(ctx, attempts)
  return status === 'pending' ? Math.max(ctx.settings.PAYMENT_POLL_INTERVAL_MS, backoff) : backoff
}

// The delay doubles with each attempt, up to PAYMENT_SLOW_POLL_INTERVAL_MS.
function backoffMs({ settings: { RETRY_DELAY_MS, PAYMENT_SLOW_POLL_INTERVAL_MS } }: Context, attempts: number): number {
  return Math.min(RETRY_DELAY_MS * 2 ** attempts, PAYMENT_SLOW_POLL_INTERVAL_MS)
}
