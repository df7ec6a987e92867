import type { Context } from '../../context.ts'
import { verifyIntent, type Intent } from '../intent.ts'
import { markPayable } from '../sale-transitions.repo.ts'
import { releaseReason, type Sale } from '../sale.ts'
import { readSale } from '../sales.repo.ts'
import { releaseSale } from './release-sale.ts'
import type { StepResult } from './step-result.ts'

// Maximum number of the provider's intents, of all sales, that are searched for an intent that this sale created but
// did not store. Without a provider error such an intent is unlikely and the buyer waits for the response, so fewer
// intents are searched. The provider returns 100 intents per request.
const scanLimit = { afterProviderError: 10_000, otherwise: 1000 }

/**
 * Finds intents of a held sale whose ids were not stored, because the provider call that created them failed or its
 * response was lost.
 */
export function findOrphanedIntents(
  ctx: Context,
  { id: saleId, updatedAt: since, failedAttempts }: Sale,
): Promise<Intent[]> {
  return ctx.provider.findIntents({
    saleId,
    since,
    limit: failedAttempts > 0 ? scanLimit.afterProviderError : scanLimit.otherwise,
  })
}

/**
 * Assigns the first of the found intents to the sale and cancels the other found intents. The sale then proceeds as if
 * it had created the assigned intent.
 */
export async function adoptIntent(ctx: Context, sale: Sale, found: readonly [Intent, ...Intent[]]): Promise<null> {
  const [intent] = found
  verifyIntent(sale, intent)
  await markPayable(ctx.db, sale, intent.id, ctx.settings.PAYMENT_POLL_INTERVAL_MS)
  await cancelOrphanedIntents(ctx, sale, found)
  return null
}

/**
 * Cancels the intents whose id the sale does not have. No client can pay them, because their client secrets were never
 * sent. The sale must no longer be `held`.
 */
export async function cancelOrphanedIntents(ctx: Context, { id }: Sale, found: readonly Intent[]): Promise<void> {
  const { intentId } = await readSale(ctx.db, id)
  const orphaned = found.filter((intent) => intent.id !== intentId)
  await Promise.all(orphaned.map((intent) => ctx.provider.cancelIntent(intent.id, `${id}:stray:${intent.id}`)))
}

/**
 * Searches the provider for an intent of an expired sale that had provider errors. Releases the sale if there is none.
 */
export async function recoverIntent(ctx: Context, sale: Sale): Promise<StepResult> {
  const [intent, ...others] = await findOrphanedIntents(ctx, sale)
  if (intent) return adoptIntent(ctx, sale, [intent, ...others])
  await releaseSale(ctx, sale, releaseReason(sale, ctx.settings))
  return null
}
