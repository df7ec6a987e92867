import { transaction } from '@marketplace/kit/db/db.ts'
import { counter } from '@marketplace/kit/telemetry/metrics.ts'
import { DomainError } from '@marketplace/kit/errors/problem.ts'
import type { Context } from '../../context.ts'
import type { Trx } from '../../db.ts'
import { postJournal } from '../../ledger/ledger.repo.ts'
import { refundOwed, refundPaid } from '../../ledger/ledger.ts'
import { ProviderError } from '../../provider/provider-call.ts'
import type { RefundStatus } from '../../provider/refunds.ts'
import { markRefunded, markRefunding, postpone, recordProviderError } from '../sale-transitions.repo.ts'
import { idempotencyKey, intentIdOf, termsOf, type InventoryService, type Sale } from '../sale.ts'
import { lockSale } from '../sales.repo.ts'
import { idle, type StepResult } from './step-result.ts'

const refundFailures = counter('payments_refund_failures_total', 'Refunds that the provider refused or failed to make.')

/**
 * Records a refund as due when the inventory service does not have the item of a paid sale. The sweeper makes the
 * refund.
 */
export async function recordRefundDue(
  trx: Trx,
  rejected: { saleId: string; inventoryService: InventoryService | null },
): Promise<void> {
  const sale = await lockSale(trx, rejected.saleId)
  if (sale.state !== 'paid' || sale.inventoryService !== rejected.inventoryService) return
  await markRefunding(trx, sale, { paymentMethod: sale.paymentMethod, retryMs: 0 })
  await postJournal(trx, sale.id, refundOwed(termsOf(sale)))
}

/**
 * Refunds the buyer. The provider's list of refunds determines what succeeded. Failed refunds are retried under a new
 * idempotency key with exponential backoff until one succeeds.
 */
export async function refundSale(ctx: Context, sale: Sale): Promise<StepResult> {
  const { status, attempts } = await refundAtProvider(ctx, sale)
  if (status === 'succeeded') {
    await recordRefund(ctx, sale)
    return null
  }
  if (status === 'failed') {
    refundFailures.inc()
    ctx.log.error({ saleId: sale.id, tries: attempts }, 'refund failed')
    await recordProviderError(ctx.db, sale, backoffMs(ctx, attempts))
    return idle(sale)
  }
  const postponed = await postpone(ctx.db, sale, retryDelayMs(ctx, status, attempts))
  return postponed ? idle(postponed) : null
}

async function recordRefund(ctx: Context, sale: Sale): Promise<void> {
  const isRecorded = await transaction(ctx.db, async (trx) => {
    const refunded = await markRefunded(trx, sale)
    if (refunded) await postJournal(trx, sale.id, refundPaid(termsOf(sale)))
    return refunded !== undefined
  })
  if (isRecorded) ctx.log.info({ saleId: sale.id }, 'sale refunded')
}

interface RefundAttempt {
  status: RefundStatus | 'unknown'
  /** Number of failed refunds plus provider errors. */
  attempts: number
}

async function refundAtProvider({ provider: { refunds } }: Context, sale: Sale): Promise<RefundAttempt> {
  const [intentId, { amount }] = [intentIdOf(sale), termsOf(sale)]
  let attempts = sale.failedAttempts
  try {
    const refunded = await refunds.read(intentId)
    attempts += refunded.failures
    if (refunded.succeeded >= amount) return { status: 'succeeded', attempts }
    if (refunded.succeeded + refunded.pending >= amount) return { status: 'pending', attempts }
    return { status: await refunds.create(intentId, idempotencyKey(sale, 'refund', attempts)), attempts }
  } catch (error) {
    if (error instanceof ProviderError) return { status: 'failed', attempts }
    if (error instanceof DomainError && error.kind === 'unavailable') return { status: 'unknown', attempts }
    throw error
  }
}

function retryDelayMs(ctx: Context, status: 'unknown' | 'pending', attempts: number): number {
  const backoff = backoffMs(ctx, attempts)
  return status === 'unknown' ? backoff : Math.max(ctx.settings.PAYMENT_POLL_INTERVAL_MS, backoff)
}

// Doubles with each attempt, up to the poll interval of old checkouts.
function backoffMs({ settings: { RETRY_DELAY_MS, PAYMENT_SLOW_POLL_INTERVAL_MS } }: Context, attempts: number): number {
  return Math.min(RETRY_DELAY_MS * 2 ** attempts, PAYMENT_SLOW_POLL_INTERVAL_MS)
}
