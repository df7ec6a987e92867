import { conflict } from '@marketplace/kit/errors/problem.ts'
import type { Context } from '../../context.ts'
import { advance } from '../advance.ts'
import { notifyInventory } from '../notify-inventory.ts'
import type { Sale } from '../sale.ts'
import { findOwnSaleId, type IntentReference } from './own-sale.ts'

/**
 * Completes the sale if the provider confirms the payment. Throws `refunded` (409) if the payment was or will be
 * refunded, and `not_paid` (409) if there is no payment.
 */
export async function confirmPayment(ctx: Context, intent: IntentReference): Promise<Sale> {
  const { sale } = await advance(ctx, await findOwnSaleId(ctx, intent), 'sync')
  switch (sale.state) {
    case 'paid':
      // A webhook might have completed the sale before this request but not yet notified the inventory service.
      // Notifying it here ensures that the buyer's next read shows the item as sold.
      await notifyInventory(ctx, sale)
      return sale
    case 'refunding':
    case 'refunded':
      throw conflict('refunded', 'This item is no longer available. Your payment will be refunded.')
    case 'new':
    case 'held':
    case 'payable':
    case 'releasing':
    case 'released':
      break
  }
  throw conflict('not_paid', 'This payment has not succeeded.')
}
