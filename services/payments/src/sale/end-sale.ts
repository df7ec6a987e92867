import { transaction } from '@marketplace/kit/db.ts'
import { publish } from '@marketplace/kit/outbox.ts'
import type { Context } from '../context.ts'
import { book } from '../ledger/ledger.repo.ts'
import { capture, lateCapture } from '../ledger/ledger.ts'
import type { Intent } from './intent.ts'
import { recordRelease } from './record-release.ts'
import { paymentSucceeded } from './sale-events.ts'
import { markPaid, markRefunding } from './sale-moves.repo.ts'
import { termsOf, type ReleaseReason, type Sale } from './sale.ts'

/** Ends a sale that nobody can pay any more, and tells its owner. */
export async function releaseSale(ctx: Context, sale: Sale, reason: ReleaseReason): Promise<void> {
  const released = await transaction(ctx.db, (trx) => recordRelease(trx, { sale, reason }, ctx.settings))
  if (!released) return
  ctx.log.info({ saleId: sale.id, reason }, 'sale released')
  await tellOwner(ctx, released)
}

/** Books the buyer's money: for the item, or to be given back when the sale was over already. */
export async function takePayment(ctx: Context, sale: Sale, intent: Intent): Promise<void> {
  if (sale.state === 'released') return takeLatePayment(ctx, sale, intent)
  const paid = await transaction(ctx.db, async (trx) => {
    const moved = await markPaid(trx, sale, intent.paymentMethod)
    if (!moved) return undefined
    await book(trx, sale.id, capture(termsOf(sale)))
    await publish(trx, paymentSucceeded(moved))
    return moved
  })
  if (!paid) return
  ctx.log.info({ saleId: sale.id }, 'sale paid')
  await tellOwner(ctx, paid)
}

async function takeLatePayment(ctx: Context, sale: Sale, intent: Intent): Promise<void> {
  const isTaken = await transaction(ctx.db, async (trx) => {
    const { paymentMethod } = intent
    const moved = await markRefunding(trx, sale, { paymentMethod, retryMs: ctx.settings.RETRY_MS })
    if (moved) await book(trx, sale.id, lateCapture(termsOf(sale)))
    return moved !== undefined
  })
  if (isTaken) ctx.log.error({ saleId: sale.id }, 'paid after its release, to be refunded')
}

/** The event says the same: this only makes the owner's next answer true sooner. */
export async function tellOwner(ctx: Context, sale: Sale): Promise<void> {
  try {
    await ctx.owners.settle(sale)
  } catch (error) {
    ctx.log.warn({ err: error, saleId: sale.id }, 'the owner refused the notice of a sale')
  }
}
