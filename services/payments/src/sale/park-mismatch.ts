import type { Context } from '../context.ts'
import { IntentMismatch } from './intent.ts'
import { markMismatched } from './due-sales.repo.ts'

/**
 * If `error` is an `IntentMismatch`, stops the sale's retries until a person has examined the sale, and returns true.
 * Returns false for any other error.
 */
export async function parkMismatch(ctx: Context, saleId: string, error: unknown): Promise<boolean> {
  if (!(error instanceof IntentMismatch)) return false
  await markMismatched(ctx.db, saleId)
  ctx.log.error({ err: error, saleId }, 'sale parked; intent does not match')
  return true
}
