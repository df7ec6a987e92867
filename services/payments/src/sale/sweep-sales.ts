import { isTransient } from '@marketplace/kit/errors/transient-error.ts'
import type { Context } from '../context.ts'
import { advance } from './advance.ts'
import { parkMismatch } from './park-mismatch.ts'
import { claimDueSales, stopRechecks, type DueSale } from './due-sales.repo.ts'

/**
 * Advances due sales: records payments that browser and webhook both missed, ends expired sales and resumes after a
 * crash. Returns the number of sales claimed.
 */
export async function sweepSales(ctx: Context): Promise<number> {
  const due = await claimDueSales(ctx.db, ctx.settings)
  await Promise.all(due.map((sale) => sweepSale(ctx, sale)))
  return due.length
}

// A sale that fails is claimed again. Its error must not stop the others.
async function sweepSale(ctx: Context, { id: saleId, state }: DueSale): Promise<void> {
  try {
    await advance(ctx, saleId, 'sync')
    // A sale released by this sweep keeps its scheduled recheck.
    if (state === 'released') await stopRechecks(ctx.db, saleId)
  } catch (error) {
    if (await parkMismatch(ctx, saleId, error)) return
    ctx.log[isTransient(error) ? 'warn' : 'error']({ err: error, saleId }, 'sale advance failed')
  }
}
