import { DomainError } from '@marketplace/kit/problem.ts'
import type { Context } from '../context.ts'
import { releaseSale, takePayment } from './end-sale.ts'
import { judgeIntent, type Intent } from './intent.ts'
import { postpone } from './sale-moves.repo.ts'
import { intentIdOf, lapseReason, type Sale } from './sale.ts'
import { rests, type StepAnswer } from './step.ts'

/** The item comes free only after the provider confirmed the cancellation; until then it stays held. */
export async function cancelIntent(ctx: Context, sale: Sale): Promise<StepAnswer> {
  const intent = await cancelAtProvider(ctx, sale)
  const verdict = intent ? judgeIntent(sale, intent) : 'open'
  if (intent && verdict === 'succeeded') {
    await takePayment(ctx, sale, intent)
    return null
  }
  if (verdict === 'cancelled') {
    await releaseSale(ctx, sale, sale.reason ?? lapseReason(sale))
    return null
  }
  const postponed = await postpone(ctx.db, sale, ctx.settings.RETRY_MS)
  return postponed ? rests(postponed, intent) : null
}

// Null without an answer. The version is part of the key because the provider repeats a refusal to the same key for a
// day: an intent refused while it was processing could not be cancelled later.
async function cancelAtProvider(ctx: Context, sale: Sale): Promise<Intent | null> {
  try {
    return await ctx.provider.cancelIntent(intentIdOf(sale), `${sale.id}:cancel:${sale.version}`)
  } catch (error) {
    if (error instanceof DomainError && error.kind === 'unavailable') return null
    throw error
  }
}
