import type { Context } from '../context.ts'
import type { Sale } from './sale.ts'

/**
 * Notifies the inventory service that a sale ended. Errors are only logged, because the event that the sale's
 * transition published carries the same data.
 */
export async function notifyInventory(ctx: Context, sale: Sale): Promise<void> {
  try {
    await ctx.inventory.settle(sale)
  } catch (error) {
    ctx.log.warn({ err: error, saleId: sale.id }, 'inventory notification rejected')
  }
}
