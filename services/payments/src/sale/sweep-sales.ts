import { isPassing } from '@marketplace/kit/passing-error.ts'
import type { Context } from '../context.ts'
import { advance } from './advance.ts'
import { claimDueSales } from './sales.repo.ts'

/** Finds out what browser and webhook both lost, ends what lapsed, and goes on where a process died. */
export async function sweepSales(ctx: Context): Promise<number> {
  const due = await claimDueSales(ctx.db, ctx.settings)
  await Promise.all(due.map((saleId) => sweepSale(ctx, saleId)))
  return due.length
}

// One that fails is claimed again; it must not stop the others.
async function sweepSale(ctx: Context, saleId: string): Promise<void> {
  try {
    await advance(ctx, saleId, 'look')
  } catch (error) {
    ctx.log[isPassing(error) ? 'warn' : 'error']({ err: error, saleId }, 'sale could not be advanced')
  }
}
