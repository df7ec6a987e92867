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

// Maximum number of reads in a search for a sale's orphaned payment intents, with up to 1000 intents per read. Without
// an earlier provider error, an orphaned intent is unlikely and the buyer is waiting, so the search is shorter.
const maxLooks = { afterProviderError: 10, otherwise: 1 }

/**
 * Searches the provider for payment intents of this sale whose ids were not stored. Charged intents come first. Throws
 * `unavailable` (503) if the search is incomplete and an earlier request for this sale failed; the next call continues
 * the search.
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
 * Assigns the first payment intent in `found` to the sale and cancels the others. `found` contains the sale's orphaned
 * intents. The sale then proceeds as if it had just created the assigned intent.
 */
export async function adoptIntent(ctx: Context, sale: Sale, found: readonly [Intent, ...Intent[]]): Promise<null> {
  const [intent] = found
  verifyIntent(sale, intent)
  await markPayable(ctx.db, sale, intent.id, ctx.settings.PAYMENT_POLL_INTERVAL_MS)
  await cancelOrphanedIntents(ctx, sale, found)
  return null
}

/**
 * Cancels all payment intents in `found` except the one whose id is stored in the sale. No buyer can pay the cancelled
 * intents, because no buyer got their client secrets. Must not be called for a `held` sale: no intent is stored yet, so
 * all would be cancelled.
 */
export async function cancelOrphanedIntents(ctx: Context, { id }: Sale, found: readonly Intent[]): Promise<void> {
  const { intentId } = await readSale(ctx.db, id)
  const orphaned = found.filter((intent) => intent.id !== intentId)
  await Promise.all(orphaned.map((intent) => ctx.provider.cancelIntent(intent.id, `${id}:stray:${intent.id}`)))
}

/**
 * Searches the provider for a payment intent of an expired sale: a request that failed on our side might still have
 * created one. Assigns the intent to the sale, or releases the sale if there is none.
 */
export async function recoverIntent(ctx: Context, sale: Sale): Promise<StepResult> {
  const [intent, ...others] = await findOrphanedIntents(ctx, sale)
  if (intent) return adoptIntent(ctx, sale, [intent, ...others])
  await releaseSale(ctx, sale, releaseReason(sale, ctx.settings))
  return null
}
