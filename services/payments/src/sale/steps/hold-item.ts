import { unavailable } from '@marketplace/kit/errors/problem.ts'
import type { Context } from '../../context.ts'
import type { HoldGrant } from '../inventory-service.ts'
import { notifyInventory } from '../notify-inventory.ts'
import { registerSale, toPendingSale, withConflictRetry } from '../register-sale.ts'
import { markHeld } from '../sale-transitions.repo.ts'
import { statusOf, withFees, type Sale } from '../sale.ts'
import { findSale } from '../sales.repo.ts'
import { insertRelease, releaseSale } from './release-sale.ts'
import type { StepResult } from './step-result.ts'

/** Requests a hold from the inventory service. Repeated requests for the same sale get the same result. */
export async function holdItem(ctx: Context, sale: Sale): Promise<StepResult> {
  const result = await ctx.inventory.hold(sale)
  if (result.kind === 'rejected') {
    await releaseSale(ctx, sale, 'refused')
    return result
  }
  const { grant } = result
  if (grant.saleId === sale.id)
    await markHeld(ctx.db, sale, withFees(grant.terms, ctx.settings.FEE_BASIS_POINTS), ctx.settings.CHECKOUT_TTL_MS)
  else await yieldToExistingSale(ctx, sale, grant)
  return null
}

// Ends this sale, because the buyer already has another sale of the same item, for example by an accepted offer. The
// other sale continues.
async function yieldToExistingSale(ctx: Context, sale: Sale, grant: HoldGrant): Promise<void> {
  const existing = await findSale(ctx.db, grant.saleId)
  if (existing && statusOf(existing.state) !== 'pending') {
    // Notifies the inventory service again, because it has not recorded that the existing sale ended.
    await notifyInventory(ctx, existing)
    throw unavailable('This item')
  }
  await withConflictRetry(ctx, async (trx) => {
    const released = await insertRelease(trx, { sale, reason: 'refused' }, ctx.settings)
    if (released) await registerSale(trx, toPendingSale(sale, grant, ctx.settings), ctx.settings)
  })
}
