import type { Context } from '../context.ts'
import { releaseSale } from './end-sale.ts'
import { judgeIntent, type Intent } from './intent.ts'
import { markPayable } from './sale-moves.repo.ts'
import { lapseReason, type Sale } from './sale.ts'
import type { StepAnswer } from './step.ts'

/** What the provider made of a call that it answered with a fault; every later try looks for it first. */
export function findLostIntent(ctx: Context, sale: Sale): Promise<Intent | undefined> {
  return ctx.provider.findIntent({ saleId: sale.id, since: sale.updatedAt })
}

/** Takes a found intent for the sale's own: it is paid, cancelled or given back like any other. */
export async function adoptIntent(ctx: Context, sale: Sale, intent: Intent): Promise<null> {
  judgeIntent(sale, intent)
  await markPayable(ctx.db, sale, intent.id, ctx.settings.PAYABLE_POLL_MS)
  return null
}

/** The time of a sale is over whose intent a fault may hide: without one it ends. */
export async function seekIntent(ctx: Context, sale: Sale): Promise<StepAnswer> {
  const intent = await findLostIntent(ctx, sale)
  if (intent) return adoptIntent(ctx, sale, intent)
  await releaseSale(ctx, sale, lapseReason(sale))
  return null
}
