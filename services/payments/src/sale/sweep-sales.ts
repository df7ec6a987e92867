import { isTransient } from '@marketplace/kit/errors/transient-error.ts'
import type { Context } from '../context.ts'
import { advance } from './advance.ts'
import { parkMismatch } from './park-mismatch.ts'
import { claimDueSales, stopRechecks, type DueSale } from './due-sales.repo.ts'

/**
 * Advances sales that are due. Records payments that neither the browser nor a webhook reported, ends expired sales,
 * and continues sales after a crash. Returns the number of claimed sales.
 */
export async function sweepSales(ctx: Context): Promise<number> {
  const due = await claimDueSales(ctx.db, ctx.settings)
  await Promise.all(due.map((sale) => sweepSale(ctx, sale)))
  return due.length
}

// Errors are only logged, so that one failing sale does not stop the others. The failed sale is claimed again later.
async function sweepSale(ctx: Context, { id: saleId, state }: DueSale): Promise<void> {
  try {
    await advance(ctx, saleId, 'sweep')
    // After this call of `advance`, a released sale needs no further check for a late payment.
    if (state === 'released') await stopRechecks(ctx.db, saleId)
  } catch (error) {
    if (await parkMismatch(ctx, saleId, error)) return
    ctx.log[isTransient(error) ? 'warn' : 'error']({ err: error, saleId }, 'sale advance failed')
  }
}
