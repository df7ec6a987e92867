import type { Context } from '../context.ts'
import type { Sale } from './sale.ts'

/**
 * Notifies the inventory service that a sale was paid or released. Errors are only logged, because an event with the
 * same data was published with the state change.
 */
export async function notifyInventory(ctx: Context, sale: Sale): Promise<void> {
  try {
    await ctx.inventory.settle(sale)
  } catch (error) {
    ctx.log.warn({ err: error, saleId: sale.id }, 'inventory notification rejected')
  }
}
