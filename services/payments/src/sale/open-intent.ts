import { conflict } from '@marketplace/kit/problem.ts'
import type { Context } from '../context.ts'
import { ProviderFault } from '../provider/answered.ts'
import { NotChargeable } from '../provider/provider.ts'
import { releaseSale } from './end-sale.ts'
import { judgeIntent, type Intent } from './intent.ts'
import { markFault, markPayable } from './sale-moves.repo.ts'
import { keyOf, termsOf, type Sale } from './sale.ts'
import { readSale } from './sales.repo.ts'
import { adoptIntent, findLostIntent } from './seek-intent.ts'
import { rests, type StepAnswer } from './step.ts'

/** Makes the held item payable. The intent's secret may be answered only once this commit names the intent. */
export async function openIntent(ctx: Context, sale: Sale): Promise<StepAnswer> {
  const lost = sale.faults > 0 ? await findLostIntent(ctx, sale) : undefined
  if (lost) return adoptIntent(ctx, sale, lost)
  const intent = await createIntent(ctx, sale)
  if (intent === null) {
    await releaseSale(ctx, sale, 'not_chargeable')
    return { kind: 'refused', problem: conflict('not_chargeable', 'The card provider does not take this amount.') }
  }
  judgeIntent(sale, intent)
  const payable = await markPayable(ctx.db, sale, intent.id, ctx.settings.PAYABLE_POLL_MS)
  if (payable) return rests(payable, intent)
  await dropStray(ctx, sale, intent)
  return null
}

async function createIntent(ctx: Context, sale: Sale): Promise<Intent | null> {
  const key = keyOf(sale, 'intent', sale.faults)
  try {
    return await ctx.provider.createIntent({ key, saleId: sale.id, amount: termsOf(sale).amount })
  } catch (error) {
    if (error instanceof NotChargeable) return null
    if (error instanceof ProviderFault) await markFault(ctx.db, sale)
    throw error
  }
}

// A slow answer to a key that was given up meanwhile: another intent is the sale's, and nobody has this one's secret.
async function dropStray(ctx: Context, { id }: Sale, stray: Intent): Promise<void> {
  const { intentId } = await readSale(ctx.db, id)
  if (intentId !== null && intentId !== stray.id) await ctx.provider.cancelIntent(stray.id, `${id}:stray:${stray.id}`)
}
