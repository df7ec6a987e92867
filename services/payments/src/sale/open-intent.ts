import { conflict } from '@marketplace/kit/problem.ts'
import type { Context } from '../context.ts'
import { NotChargeable } from '../provider/provider.ts'
import { releaseSale } from './end-sale.ts'
import { judgeIntent, type Intent } from './intent.ts'
import { markPayable } from './sale-moves.repo.ts'
import { termsOf, type Sale } from './sale.ts'
import { rests, type StepAnswer } from './step.ts'

/** Makes the held item payable. The intent's secret may be answered only once this commit names the intent. */
export async function openIntent(ctx: Context, sale: Sale): Promise<StepAnswer> {
  const intent = await createIntent(ctx, sale)
  if (intent === null) {
    await releaseSale(ctx, sale, 'not_chargeable')
    return { kind: 'refused', problem: conflict('not_chargeable', 'The card provider does not take this amount.') }
  }
  judgeIntent(sale, intent)
  const payable = await markPayable(ctx.db, sale, intent.id, ctx.settings.PAYABLE_POLL_MS)
  return payable ? rests(payable, intent) : null
}

async function createIntent(ctx: Context, sale: Sale): Promise<Intent | null> {
  try {
    return await ctx.provider.createIntent({ key: `${sale.id}:intent`, saleId: sale.id, amount: termsOf(sale).amount })
  } catch (error) {
    if (error instanceof NotChargeable) return null
    throw error
  }
}
