import { isPassing } from '@marketplace/kit/passing-error.ts'
import type { Context } from '../context.ts'
import { advance } from './advance.ts'
import { claimDueSales, stopLooking, type DueSale } from './sales.repo.ts'

/** Finds out what browser and webhook both lost, ends what lapsed, and goes on where a process died. */
export async function sweepSales(ctx: Context): Promise<number> {
  const due = await claimDueSales(ctx.db, ctx.settings)
  await Promise.all(due.map((sale) => sweepSale(ctx, sale)))
  return due.length
}

// One that fails is claimed again; it must not stop the others.
async function sweepSale(ctx: Context, { id: saleId, state }: DueSale): Promise<void> {
  try {
    await advance(ctx, saleId, 'look')
    // One that was released just now is looked at once more, later.
    if (state === 'released') await stopLooking(ctx.db, saleId)
  } catch (error) {
    ctx.log[isPassing(error) ? 'warn' : 'error']({ err: error, saleId }, 'sale could not be advanced')
  }
}
