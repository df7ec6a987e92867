import type { Context } from '../context.ts'
import type { Sale } from './sale.ts'

/**
 * Notifies the inventory service (the service that holds the item) that a sale was paid or released. If the call fails,
 * only logs the error, because the inventory service also receives the same data in a published event.
 */
export async function notifyInventory(ctx: Context, sale: Sale): Promise<void> {
  try {
    await ctx.inventory.settle(sale)
  } catch (error) {
    ctx.log.warn({ err: error, saleId: sale.id }, 'inventory notification rejected')
  }
}
