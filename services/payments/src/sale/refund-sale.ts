import { transaction } from '@marketplace/kit/db.ts'
import { DomainError } from '@marketplace/kit/problem.ts'
import type { Context } from '../context.ts'
import type { Trx } from '../db.ts'
import { book } from '../ledger/ledger.repo.ts'
import { refundOwed, refundPaid } from '../ledger/ledger.ts'
import type { RefundStatus } from '../provider/provider.ts'
import { markRefunded, markRefunding, postpone } from './sale-moves.repo.ts'
import { intentIdOf, termsOf, type Sale, type SaleOwner } from './sale.ts'
import { lockSale } from './sales.repo.ts'
import { rests, type StepAnswer } from './step.ts'

/** The owner does not have the item for a sale that was paid: the money is owed back, and the sweeper returns it. */
export async function oweRefund(trx: Trx, refused: { saleId: string; owner: SaleOwner }): Promise<void> {
  const sale = await lockSale(trx, refused.saleId)
  if (sale.state !== 'paid' || sale.owner !== refused.owner) return
  await markRefunding(trx, sale, { paymentMethod: sale.paymentMethod, retryMs: 0 })
  await book(trx, sale.id, refundOwed(termsOf(sale)))
}

/** Gives the buyer's money back; the same key makes the same refund, however often and by whomever it is asked for. */
export async function refundSale(ctx: Context, sale: Sale): Promise<StepAnswer> {
  const status = await refundAtProvider(ctx, sale)
  if (status === 'succeeded') {
    await recordRefund(ctx, sale)
    return null
  }
  if (status === 'failed') ctx.log.error({ saleId: sale.id }, 'the provider gives no refund: somebody has to look')
  const postponed = await postpone(ctx.db, sale, waitMs(ctx, status))
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

async function refundAtProvider(ctx: Context, sale: Sale): Promise<RefundStatus | 'unanswered'> {
  const { amount } = termsOf(sale)
  try {
    return await ctx.provider.refundIntent({ intentId: intentIdOf(sale), amount, key: `${sale.id}:refund` })
  } catch (error) {
    if (error instanceof DomainError && error.kind === 'unavailable') return 'unanswered'
    throw error
  }
}

// The provider forgets a key after a day: a refund that failed is then asked for anew.
function waitMs({ settings }: Context, status: 'unanswered' | 'pending' | 'failed'): number {
  if (status === 'unanswered') return settings.RETRY_MS
  return status === 'pending' ? settings.PAYABLE_POLL_MS : settings.PAYABLE_SLOW_POLL_MS
}
