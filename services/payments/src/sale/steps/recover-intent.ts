import type { Context } from '../../context.ts'
import { verifyIntent, type Intent } from '../intent.ts'
import { markPayable } from '../sale-transitions.repo.ts'
import { releaseReason, type Sale } from '../sale.ts'
import { readSale } from '../sales.repo.ts'
import { releaseSale } from './release-sale.ts'
import type { StepResult } from './step-result.ts'

// Maximum number of intents to scan, over all sales, at 100 per request. The scan is shorter without a provider error:
// an intent is unlikely then, and the buyer waits for the response.
const scanLimit = { afterProviderError: 10_000, otherwise: 1000 }

/** Finds the intents of a held sale that earlier provider calls created although their responses failed or were lost. */
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

/** Assigns the first intent to the sale, to be paid, canceled or refunded as usual, and cancels the others. */
export async function adoptIntent(ctx: Context, sale: Sale, found: readonly [Intent, ...Intent[]]): Promise<null> {
  const [intent] = found
  verifyIntent(sale, intent)
  await markPayable(ctx.db, sale, intent.id, ctx.settings.PAYMENT_POLL_INTERVAL_MS)
  await cancelOrphanedIntents(ctx, sale, found)
  return null
}

/** Cancels the orphaned intents of a sale that is no longer `held`. Their secrets were never sent to a client. */
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
