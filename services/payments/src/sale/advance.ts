import type { DomainError } from '@marketplace/kit/errors/problem.ts'
import type { Context } from '../context.ts'
import type { Intent } from './intent.ts'
import { nextStep, releaseReason, type Goal, type Sale, type Step } from './sale.ts'
import { markReleasing } from './sale-transitions.repo.ts'
import { readSale } from './sales.repo.ts'
import { cancelIntent } from './steps/cancel-intent.ts'
import { checkPayment } from './steps/check-payment.ts'
import { ensureIntent } from './steps/ensure-intent.ts'
import { holdItem } from './steps/hold-item.ts'
import { recoverIntent } from './steps/recover-intent.ts'
import { refundSale } from './steps/refund-sale.ts'
import { releaseSale } from './steps/release-sale.ts'
import { idle, type StepResult } from './steps/step-result.ts'

export interface Progress {
  sale: Sale
  /**
   * Payment intent as last returned by the provider; not null if the goal is `pay` and the sale's state is `payable`.
   */
  intent: Intent | null
  /** Error that ended the sale, for example because the item is reserved for another buyer. Null if there was none. */
  rejection: DomainError | null
}

/**
 * Runs the steps of a sale until no further step applies. A step can be repeated safely: it makes at most one external
 * call, with a key derived from the sale id, and stores its result only if the sale's state is unchanged.
 */
export async function advance(ctx: Context, saleId: string, goal: Goal): Promise<Progress> {
  let rejection: DomainError | null = null
  let isHeldByThisRequest = false
  for (;;) {
    const sale = await readSale(ctx.db, saleId)
    const step = nextStep(sale, goal)
    const result = await executeStep(ctx, sale, { step, goal, isHeldByThisRequest })
    isHeldByThisRequest ||= step === 'hold'
    if (result?.kind === 'rejected') rejection = result.error
    if (result?.kind === 'idle') {
      const { sale, intent } = result
      return { sale, intent, rejection: sale.state === 'released' ? rejection : null }
    }
  }
}

interface NextStep {
  step: Step
  goal: Goal
  isHeldByThisRequest: boolean
}

async function executeStep(
  ctx: Context,
  sale: Sale,
  { step, goal, isHeldByThisRequest }: NextStep,
): Promise<StepResult> {
  switch (step) {
    case 'hold':
      return holdItem(ctx, sale)
    case 'ensure-intent':
      return ensureIntent(ctx, sale, isHeldByThisRequest)
    case 'recover-intent':
      return recoverIntent(ctx, sale)
    case 'check-payment':
      return checkPayment(ctx, sale, goal)
    case 'start-release':
      await markReleasing(ctx.db, sale, {
        reason: releaseReason(sale, ctx.settings),
        retryMs: ctx.settings.RETRY_DELAY_MS,
      })
      return null
    case 'cancel-intent':
      return cancelIntent(ctx, sale)
    case 'release':
      await releaseSale(ctx, sale, releaseReason(sale, ctx.settings))
      return null
    case 'refund':
      return refundSale(ctx, sale)
    case 'none':
      break
  }
  return idle(sale)
}
