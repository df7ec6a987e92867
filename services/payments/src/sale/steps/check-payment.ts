import { conflict } from '@marketplace/kit/errors/problem.ts'
import type { Context } from '../../context.ts'
import { verifyIntent } from '../intent.ts'
import { clearIntent, recordIntentRequest } from '../sale-transitions.repo.ts'
import { intentIdOf, type Goal, type Sale } from '../sale.ts'
import { recordPayment } from './record-payment.ts'
import { releaseSale } from './release-sale.ts'
import { idle, type StepResult } from './step-result.ts'

// Number of failed attempts (provider errors and cancelled intents) after which a sale gets no further intent.
const maxFailedAttempts = 20

/**
 * Reads the status of the intent from the provider and applies it. Statuses that a browser or a webhook reports are not
 * trusted. Throws `too_many_attempts` (409) if the goal is `pay` and the sale gets no further intent.
 */
export async function checkPayment(ctx: Context, sale: Sale, goal: Goal): Promise<StepResult> {
  const intent = await ctx.provider.readIntent(intentIdOf(sale))
  const outcome = verifyIntent(sale, intent)
  if (outcome === 'succeeded') {
    await recordPayment(ctx, sale, intent)
    return null
  }
  if (outcome === 'cancelled' && sale.state === 'payable') {
    if (await applyCancellation(ctx, sale)) return null
    if (goal === 'pay')
      throw conflict('too_many_attempts', 'Too many payments for this item failed. You can no longer pay for it.')
  }
  if (goal !== 'pay') return idle(sale, intent)
  const updated = await recordIntentRequest(ctx.db, sale, ctx.settings.PAYMENT_POLL_INTERVAL_MS)
  return updated ? idle(updated, intent) : null
}

// Applies a cancellation by the provider, which cancels an intent after too many declined cards. Ends a `buy_now`
// checkout. A won auction or an accepted offer can be paid until its deadline, so the next request creates another
// intent. Returns false if the sale has reached the maximum number of attempts; it then stays unchanged until its deadline.
async function applyCancellation(ctx: Context, sale: Sale): Promise<boolean> {
  if (sale.type === 'buy_now') {
    await releaseSale(ctx, sale, 'cancelled')
    return true
  }
  if (sale.failedAttempts >= maxFailedAttempts) return false
  const cleared = await clearIntent(ctx.db, sale)
  if (cleared) ctx.log.warn({ saleId: sale.id }, 'intent cancelled by the provider')
  return true
}
