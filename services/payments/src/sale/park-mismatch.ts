import type { Context } from '../context.ts'
import { IntentMismatch } from './intent.ts'
import { markMismatched } from './due-sales.repo.ts'

/**
 * If the error says that the payment intent at the provider does not match the sale (amount, currency or sale id),
 * stops the sale's retries until a person has examined it, and returns true. Returns false for any other error.
 */
export async function parkMismatch(ctx: Context, saleId: string, error: unknown): Promise<boolean> {
  if (!(error instanceof IntentMismatch)) return false
  await markMismatched(ctx.db, saleId)
  ctx.log.error({ err: error, saleId }, 'sale parked; intent does not match')
  return true
}
