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

// Maximum number of pages, with up to 1000 intents each, that a search for orphaned payment intents reads.
const maxLooks = { afterFailedAttempt: 10, otherwise: 1 }

/**
 * Returns the sale's orphaned payment intents from the provider, charged intents first. After a failed attempt of this
 * sale, throws `unavailable` (503) if the search is incomplete; the next call continues the search.
 */
export async function findOrphanedIntents(ctx: Context, { id: saleId, failedAttempts }: Sale): Promise<Intent[]> {
  const hasFailedAttempt = failedAttempts > 0
  const isComplete = await readIntentsUntilNow(ctx, hasFailedAttempt ? maxLooks.afterFailedAttempt : maxLooks.otherwise)
  if (!isComplete && hasFailedAttempt) throw unavailable('The card provider')
  const ids = await listOrphanedIntents(ctx.db, saleId)
  const found = await Promise.all(ids.map((id) => ctx.provider.readIntent(id)))
  const open = found.filter(({ status }) => status !== 'canceled')
  return open.toSorted((left, right) => right.amountReceived - left.amountReceived)
}

/**
 * Assigns the first of the sale's orphaned intents (`found`) to the sale and cancels the others. The sale then proceeds
 * as if it had just created the assigned intent.
 */
export async function adoptIntent(ctx: Context, sale: Sale, found: readonly [Intent, ...Intent[]]): Promise<null> {
  const [intent] = found
  verifyIntent(sale, intent)
  await markPayable(ctx.db, sale, intent.id, ctx.settings.PAYMENT_POLL_INTERVAL_MS)
  await cancelOrphanedIntents(ctx, sale, found)
  return null
}

/**
 * Cancels the payment intents in `found` except the sale's stored intent. Must not be called for a `held` sale, which
 * has no stored intent.
 */
export async function cancelOrphanedIntents(ctx: Context, { id }: Sale, found: readonly Intent[]): Promise<void> {
  const { intentId } = await readSale(ctx.db, id)
  const orphaned = found.filter((intent) => intent.id !== intentId)
  await Promise.all(orphaned.map((intent) => ctx.provider.cancelIntent(intent.id, `${id}:stray:${intent.id}`)))
}

/**
 * Searches for an orphaned payment intent before a held sale ends. Assigns the intent to the sale, or releases the sale
 * if there is none.
 */
export async function recoverIntent(ctx: Context, sale: Sale): Promise<StepResult> {
  const [intent, ...others] = await findOrphanedIntents(ctx, sale)
  if (intent) return adoptIntent(ctx, sale, [intent, ...others])
  await releaseSale(ctx, sale, releaseReason(sale, ctx.settings))
  return null
}
