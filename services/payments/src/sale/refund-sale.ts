import { transaction } from '@marketplace/kit/db.ts'
import { counter } from '@marketplace/kit/metrics.ts'
import { DomainError } from '@marketplace/kit/problem.ts'
import type { Context } from '../context.ts'
import type { Trx } from '../db.ts'
import { book } from '../ledger/ledger.repo.ts'
import { refundOwed, refundPaid } from '../ledger/ledger.ts'
import { ProviderFault } from '../provider/answered.ts'
import type { RefundStatus } from '../provider/refunds.ts'
import { markFault, markRefunded, markRefunding, postpone } from './sale-moves.repo.ts'
import { intentIdOf, keyOf, termsOf, type Sale, type SaleOwner } from './sale.ts'
import { lockSale } from './sales.repo.ts'
import { rests, type StepAnswer } from './step.ts'

const refundFailures = counter('payments_refund_failures_total', 'Refunds that the provider refused or failed to make.')

/** The owner does not have the item for a sale that was paid: the money is owed back, and the sweeper returns it. */
export async function oweRefund(trx: Trx, refused: { saleId: string; owner: SaleOwner }): Promise<void> {
  const sale = await lockSale(trx, refused.saleId)
  if (sale.state !== 'paid' || sale.owner !== refused.owner) return
  await markRefunding(trx, sale, { paymentMethod: sale.paymentMethod, retryMs: 0 })
  await book(trx, sale.id, refundOwed(termsOf(sale)))
}

/**
 * Gives the buyer's money back. The provider's own list says what came through; a refund that failed is asked for anew,
 * under another key, ever more seldom and until it is done.
 */
export async function refundSale(ctx: Context, sale: Sale): Promise<StepAnswer> {
  const { status, tries } = await refundAtProvider(ctx, sale)
  if (status === 'succeeded') {
    await recordRefund(ctx, sale)
    return null
  }
  if (status === 'failed') {
    refundFailures.inc()
    ctx.log.error({ saleId: sale.id, tries }, 'the provider gave no refund')
    await markFault(ctx.db, sale, backoffMs(ctx, tries))
    return rests(sale)
  }
  const postponed = await postpone(ctx.db, sale, waitMs(ctx, status, tries))
  return postponed ? rests(postponed) : null
}

async function recordRefund(ctx: Context, sale: Sale): Promise<void> {
  const isMoved = await transaction(ctx.db, async (trx) => {
    const refunded = await markRefunded(trx, sale)
    if (refunded) await book(trx, sale.id, refundPaid(termsOf(sale)))
    return refunded !== undefined
  })
  if (isMoved) ctx.log.info({ saleId: sale.id }, 'sale refunded')
}

interface Attempt {
  status: RefundStatus | 'unanswered'
  /** Refunds that failed, and answers that were a fault. */
  tries: number
}

async function refundAtProvider({ provider: { refunds } }: Context, sale: Sale): Promise<Attempt> {
  const [intentId, { amount }] = [intentIdOf(sale), termsOf(sale)]
  let tries = sale.faults
  try {
    const known = await refunds.read(intentId)
    tries += known.failures
    if (known.succeeded >= amount) return { status: 'succeeded', tries }
    if (known.succeeded + known.pending >= amount) return { status: 'pending', tries }
    return { status: await refunds.make(intentId, keyOf(sale, 'refund', tries)), tries }
  } catch (error) {
    if (error instanceof ProviderFault) return { status: 'failed', tries }
    if (error instanceof DomainError && error.kind === 'unavailable') return { status: 'unanswered', tries }
    throw error
  }
}

function waitMs(ctx: Context, status: 'unanswered' | 'pending', tries: number): number {
  return status === 'unanswered' ? backoffMs(ctx, tries) : Math.max(ctx.settings.PAYABLE_POLL_MS, backoffMs(ctx, tries))
}

// Twice as long each time, at most as seldom as an old checkout is looked at.
function backoffMs({ settings: { RETRY_MS, PAYABLE_SLOW_POLL_MS } }: Context, tries: number): number {
  return Math.min(RETRY_MS * 2 ** tries, PAYABLE_SLOW_POLL_MS)
}
