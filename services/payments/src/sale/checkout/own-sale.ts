import { missing } from '@marketplace/kit/errors/problem.ts'
import type { Context } from '../../context.ts'
import { findSaleOfIntent } from '../sales.repo.ts'

export interface IntentReference {
  intentId: string
  buyerId: string
}

/**
 * Returns the id of the buyer's sale with this intent. Throws `missing` (404) if no sale has the intent or if the sale
 * belongs to another buyer.
 */
export async function findOwnSaleId(ctx: Context, { intentId, buyerId }: IntentReference): Promise<string> {
  const sale = await findSaleOfIntent(ctx.db, intentId)
  if (sale?.buyerId !== buyerId) throw missing('payment')
  return sale.id
}
