import { conflict } from '@marketplace/kit/errors/problem.ts'
import type { Context } from '../../context.ts'
import { advance } from '../advance.ts'
import type { Sale } from '../sale.ts'
import { findOwnSaleId, type IntentReference } from './own-sale.ts'

/**
 * Cancels the buyer's checkout. The sale stays pending until the provider has cancelled the intent. Throws
 * `already_paid` (409) if the sale is paid.
 */
export async function cancelCheckout(ctx: Context, intent: IntentReference): Promise<Sale> {
  const { sale } = await advance(ctx, await findOwnSaleId(ctx, intent), 'cancel')
  if (sale.state === 'paid') throw conflict('already_paid', 'This payment has already succeeded.')
  return sale
}
