import type { Context } from '../context.ts'
import { releaseSale, takePayment } from './end-sale.ts'
import { judgeIntent } from './intent.ts'
import { markAsked } from './sale-moves.repo.ts'
import { intentIdOf, type Sale, type Wish } from './sale.ts'
import { rests, type StepAnswer } from './step.ts'

/** Asks the provider what became of the payment: neither the browser nor a webhook is believed. */
export async function readIntent(ctx: Context, sale: Sale, wish: Wish): Promise<StepAnswer> {
  const intent = await ctx.provider.readIntent(intentIdOf(sale))
  const verdict = judgeIntent(sale, intent)
  if (verdict === 'succeeded') {
    await takePayment(ctx, sale, intent)
    return null
  }
  if (verdict === 'cancelled' && sale.state === 'payable') {
    await releaseSale(ctx, sale, 'cancelled')
    return null
  }
  if (wish !== 'pay') return rests(sale, intent)
  const asked = await markAsked(ctx.db, sale, ctx.settings.PAYABLE_POLL_MS)
  return asked ? rests(asked, intent) : null
}
