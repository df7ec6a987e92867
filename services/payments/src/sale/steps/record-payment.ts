import { transaction } from '@marketplace/kit/db/db.ts'
import { publish } from '@marketplace/kit/events/outbox.ts'
import type { Context } from '../../context.ts'
import { postJournal } from '../../ledger/ledger.repo.ts'
import { capture, lateCapture } from '../../ledger/ledger.ts'
import { insertOwedRefund } from '../../refund/apply-refunds.ts'
import { paymentSucceeded } from '../events/sales.events.ts'
import type { Intent } from '../intent.ts'
import { notifyInventory } from '../notify-inventory.ts'
import { markPaid, markRefunding } from '../sale-transitions.repo.ts'
import { termsOf, type Sale } from '../sale.ts'

/** Records that the buyer has paid and, if the sale was already released, that the payment must be refunded. */
export async function recordPayment(ctx: Context, sale: Sale, intent: Intent): Promise<void> {
  if (sale.state === 'released') return recordLatePayment(ctx, sale, intent)
  const paid = await transaction(ctx.db, async (trx) => {
    const updated = await markPaid(trx, sale, intent.paymentMethod)
    if (!updated) return undefined
    await postJournal(trx, sale.id, capture(termsOf(sale)))
    await publish(trx, paymentSucceeded(updated))
    return updated
  })
  if (!paid) return
  ctx.log.info({ saleId: sale.id }, 'sale paid')
  await notifyInventory(ctx, paid)
}

async function recordLatePayment(ctx: Context, sale: Sale, intent: Intent): Promise<void> {
  const isRecorded = await transaction(ctx.db, async (trx) => {
    const { paymentMethod } = intent
    const updated = await markRefunding(trx, sale, { paymentMethod, retryMs: ctx.settings.RETRY_DELAY_MS })
    if (!updated) return false
    await postJournal(trx, sale.id, lateCapture(termsOf(sale)))
    await insertOwedRefund(trx, sale.id, termsOf(sale).amount)
    return true
  })
  if (isRecorded) ctx.log.error({ saleId: sale.id }, 'payment succeeded after release; refund scheduled')
}
