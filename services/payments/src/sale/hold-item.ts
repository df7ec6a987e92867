import { unavailable } from '@marketplace/kit/problem.ts'
import type { Context } from '../context.ts'
import { admitSale, admitting } from './admit-sale.ts'
import { releaseSale, tellOwner } from './end-sale.ts'
import type { Grant } from './owners.ts'
import { recordRelease } from './record-release.ts'
import { markHeld } from './sale-moves.repo.ts'
import { priced, statusOf, type Sale } from './sale.ts'
import { findSale, type PendingSale } from './sales.repo.ts'
import type { StepAnswer } from './step.ts'

/** Asks the owner whether this buyer may have the item; the same sale asked again gets the same answer. */
export async function holdItem(ctx: Context, sale: Sale): Promise<StepAnswer> {
  const answer = await ctx.owners.hold(sale)
  if (answer.kind === 'refused') {
    await releaseSale(ctx, sale, 'refused')
    return { kind: 'refused', problem: answer.problem }
  }
  const { grant } = answer
  if (grant.saleId === sale.id) await markHeld(ctx.db, sale, priced(grant.terms), ctx.settings.CHECKOUT_MS)
  else await giveWay(ctx, sale, grant)
  return null
}

// The buyer has the item under another sale already: an accepted offer, say. This one ends, the other goes on.
async function giveWay(ctx: Context, sale: Sale, grant: Grant): Promise<void> {
  const other = await findSale(ctx.db, grant.saleId)
  if (other && statusOf(other.state) !== 'pending') {
    // Over here, and the owner does not know it yet.
    await tellOwner(ctx, other)
    throw unavailable('This item')
  }
  await admitting(ctx, async (trx) => {
    const released = await recordRelease(trx, { sale, reason: 'refused' }, ctx.settings)
    if (released) await admitSale(trx, grantedSale(sale, grant), ctx.settings)
  })
}

/** The sale that an owner says this buyer has. */
export function grantedSale(sale: Pick<Sale, 'listingId' | 'buyerId' | 'owner'>, grant: Grant): PendingSale {
  const { saleId: id, type, dueAt, terms } = grant
  if (dueAt === null) throw new Error(`Sale ${id} has no time to be paid by.`)
  const { listingId, buyerId, owner } = sale
  return { id, listingId, buyerId, type, owner, dueAt, terms: priced(terms) }
}
