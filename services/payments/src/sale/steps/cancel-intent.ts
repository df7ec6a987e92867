import { DomainError } from '@marketplace/kit/errors/problem.ts'
import type { Context } from '../../context.ts'
import { verifyIntent, type Intent } from '../intent.ts'
import { postpone } from '../sale-transitions.repo.ts'
import { intentIdOf, releaseReason, type Sale } from '../sale.ts'
import { recordPayment } from './record-payment.ts'
import { releaseSale } from './release-sale.ts'
import { idle, type StepResult } from './step-result.ts'

/** Cancels the intent of a sale. The item stays held until the provider confirms the cancellation. */
export async function cancelIntent(ctx: Context, sale: Sale): Promise<StepResult> {
  const intent = await cancelAtProvider(ctx, sale)
  const outcome = intent ? verifyIntent(sale, intent) : 'open'
  if (intent && outcome === 'succeeded') {
    await recordPayment(ctx, sale, intent)
    return null
  }
  if (outcome === 'cancelled') {
    await releaseSale(ctx, sale, releaseReason(sale, ctx.settings))
    return null
  }
  const postponed = await postpone(ctx.db, sale, ctx.settings.RETRY_DELAY_MS)
  return postponed ? idle(postponed, intent) : null
}

// Returns null on a transient error. The idempotency key contains the sale's version, because the provider repeats a
// rejection under the same key for one day.
async function cancelAtProvider(ctx: Context, sale: Sale): Promise<Intent | null> {
  try {
    return await ctx.provider.cancelIntent(intentIdOf(sale), `${sale.id}:cancel:${sale.version}`)
  } catch (error) {
    if (error instanceof DomainError && error.kind === 'unavailable') return null
    throw error
  }
}
