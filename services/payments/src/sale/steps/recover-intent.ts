import { unavailable } from '@marketplace/kit/errors/problem.ts'
import type { Context } from '../../context.ts'
import { verifyIntent, type Intent } from '../intent.ts'
import { listOrphanedIntents } from '../orphans/orphaned-intents.repo.ts'
import { readIntentsUntilNow } from '../orphans/read-new-intents.ts'
import { markPayable } from '../sale-transitions.repo.ts'
import { releaseReason, type Sale } from '../sale.ts'
import { readSale } from '../sales.repo.ts'
import { releaseSale } from './release-sale.ts'
import type { StepResult } from './step-result.ts'

// Looks at 1000 intents each. Without a provider error an orphaned intent is unlikely and the buyer waits for the response, so
// fewer intents are searched.
const maxLooks = { afterProviderError: 10, otherwise: 1 }

/**
 * Finds intents of a held sale whose ids were not stored, because the provider call that created them failed or its
 * response was lost. Charged intents come first. Throws `unavailable` after a provider error while too many intents of other
 * sales are left to search; the next call continues.
 */
export async function findOrphanedIntents(ctx: Context, { id: saleId, failedAttempts }: Sale): Promise<Intent[]> {
  const hadProviderError = failedAttempts > 0
  const isComplete = await readIntentsUntilNow(ctx, hadProviderError ? maxLooks.afterProviderError : maxLooks.otherwise)
  if (!isComplete && hadProviderError) throw unavailable('The card provider')
  const ids = await listOrphanedIntents(ctx.db, saleId)
  const found = await Promise.all(ids.map((id) => ctx.provider.readIntent(id)))
  const open = found.filter(({ status }) => status !== 'canceled')
  return open.toSorted((left, right) => right.amountReceived - left.amountReceived)
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
