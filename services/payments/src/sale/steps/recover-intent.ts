import type { Context } from '../../context.ts'
import { verifyIntent, type Intent } from '../intent.ts'
import { markPayable } from '../sale-transitions.repo.ts'
import { releaseReason, type Sale } from '../sale.ts'
import { readSale } from '../sales.repo.ts'
import { releaseSale } from './release-sale.ts'
import type { StepResult } from './step-result.ts'

// Maximum number of intents to scan, including those of other sales. The provider returns 100 per request. Fewer are
// scanned if there was no provider error, because an orphaned intent is then unlikely and the buyer waits for the
// response.
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

/** Assigns the first intent to the sale, which continues with it as usual, and cancels the other intents. */
export async function adoptIntent(ctx: Context, sale: Sale, found: readonly [Intent, ...Intent[]]): Promise<null> {
  const [intent] = found
  verifyIntent(sale, intent)
  await markPayable(ctx.db, sale, intent.id, ctx.settings.PAYMENT_POLL_INTERVAL_MS)
  await cancelOrphanedIntents(ctx, sale, found)
  return null
}

/**
 * Cancels the intents that are not the sale's own. No client can pay them, because their secrets were never sent. The
 * sale must no longer be `held`.
 */
export async function cancelOrphanedIntents(ctx: Context, { id }: Sale, found: readonly Intent[]): Promise<void> {
  const { intentId } = await readSale(ctx.db, id)
  const orphaned = found.filter((intent) => intent.id !== intentId)
  await Promise.all(orphaned.map((intent) => ctx.provider.cancelIntent(intent.id, `${id}:stray:${intent.id}`)))
}

/** Searches for an intent of an expired sale that had provider errors. Releases the sale when there is none. */
export async function recoverIntent(ctx: Context, sale: Sale): Promise<StepResult> {
  const [intent, ...others] = await findOrphanedIntents(ctx, sale)
  if (intent) return adoptIntent(ctx, sale, [intent, ...others])
  await releaseSale(ctx, sale, releaseReason(sale, ctx.settings))
  return null
}
