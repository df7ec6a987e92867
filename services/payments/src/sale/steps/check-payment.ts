import type { Context } from '../../context.ts'
import { verifyIntent } from '../intent.ts'
import { recordIntentRequest } from '../sale-transitions.repo.ts'
import { intentIdOf, type Goal, type Sale } from '../sale.ts'
import { recordPayment } from './record-payment.ts'
import { releaseSale } from './release-sale.ts'
import { idle, type StepResult } from './step-result.ts'

/**
 * Reads the status of the intent from the provider and applies it. Statuses that a browser or a webhook reports are not
 * trusted.
 */
export async function checkPayment(ctx: Context, sale: Sale, goal: Goal): Promise<StepResult> {
  const intent = await ctx.provider.readIntent(intentIdOf(sale))
  const outcome = verifyIntent(sale, intent)
  if (outcome === 'succeeded') {
    await recordPayment(ctx, sale, intent)
    return null
  }
  if (outcome === 'cancelled' && sale.state === 'payable') {
    await releaseSale(ctx, sale, 'cancelled')
    return null
  }
  if (goal !== 'pay') return idle(sale, intent)
  const updated = await recordIntentRequest(ctx.db, sale, ctx.settings.PAYMENT_POLL_INTERVAL_MS)
  return updated ? idle(updated, intent) : null
}
