import type { Context } from '../context.ts'
import { IntentMismatch } from './intent.ts'
import { markMismatched } from './due-sales.repo.ts'

/**
 * Stops the retries of a sale whose intent at the provider has another amount, currency or sale, until a person has looked at it.
 * Returns false for any other error.
 */
export async function parkMismatch(ctx: Context, saleId: string, error: unknown): Promise<boolean> {
  if (!(error instanceof IntentMismatch)) return false
  await markMismatched(ctx.db, saleId)
  ctx.log.error({ err: error, saleId }, 'sale parked; intent does not match')
  return true
}
