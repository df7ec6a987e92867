import { conflict } from '@marketplace/kit/errors/problem.ts'
import type { Context } from '../../context.ts'
import { ProviderError } from '../../provider/provider-call.ts'
import { AmountRejected } from '../../provider/provider.ts'
import { verifyIntent, type Intent } from '../intent.ts'
import { markPayable, recordProviderError } from '../sale-transitions.repo.ts'
import { idempotencyKey, isChargeable, termsOf, type Sale } from '../sale.ts'
import { adoptIntent, cancelOrphanedIntents, findOrphanedIntents } from './recover-intent.ts'
import { releaseSale } from './release-sale.ts'
import { idle, type StepResult } from './step-result.ts'

/**
 * Creates the payment intent of a held sale. If an earlier request created an intent without storing its id, that
 * intent is assigned to the sale instead (ADR-0018). If this request obtained the hold and no call has failed, there
 * was no earlier request, so the provider is not searched. The client secret is returned only after the intent id is
 * committed, so that a client cannot pay an intent that is not stored.
 */
export async function ensureIntent(ctx: Context, sale: Sale, isHeldByThisRequest: boolean): Promise<StepResult> {
  const isFirstCall = isHeldByThisRequest && sale.failedAttempts === 0
  const [found, ...others] = isFirstCall ? [] : await findOrphanedIntents(ctx, sale)
  if (found) return adoptIntent(ctx, sale, [found, ...others])
  const intent = await createIntent(ctx, sale)
  if (intent === null) {
    await releaseSale(ctx, sale, 'not_chargeable')
    return { kind: 'rejected', error: conflict('not_chargeable', 'The card provider does not accept this amount.') }
  }
  verifyIntent(sale, intent)
  const payable = await markPayable(ctx.db, sale, intent.id, ctx.settings.PAYMENT_POLL_INTERVAL_MS)
  if (payable) return idle(payable, intent)
  // A concurrent request has assigned another intent to the sale or ended the sale, so this intent is cancelled.
  await cancelOrphanedIntents(ctx, sale, [intent])
  return null
}

async function createIntent(ctx: Context, sale: Sale): Promise<Intent | null> {
  const { amount } = termsOf(sale)
  if (!isChargeable(amount, ctx.settings)) return null
  const key = idempotencyKey(sale, 'intent2', sale.failedAttempts)
  try {
    return await ctx.provider.createIntent({ key, saleId: sale.id, amount })
  } catch (error) {
    if (error instanceof AmountRejected) return null
    if (error instanceof ProviderError) await recordProviderError(ctx.db, sale)
    throw error
  }
}
