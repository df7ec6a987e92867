import { transaction } from '@marketplace/kit/db/db.ts'
import type { Context } from '../context.ts'
import type { Db } from '../db.ts'
import { allowMoreAttempts, insertCommandAction, markOverdueRefunds } from './stuck-refunds.repo.ts'

/** Marks refunds that the buyer has not received after 14 days, so that an operator and both sides of the sale see it. */
export async function sweepOverdueRefunds(ctx: Context): Promise<number> {
  const saleIds = await transaction(ctx.db, markOverdueRefunds)
  for (const saleId of saleIds) ctx.log.error({ saleId }, 'refund stuck')
  return saleIds.length
}

/** Requests a stuck refund again, at most 20 times. Returns false if the sale has none that can be requested. */
export function retryRefund(db: Db, { saleId, reason }: { saleId: string; reason: string }): Promise<boolean> {
  return transaction(db, async (trx) => {
    const isAllowed = await allowMoreAttempts(trx, saleId)
    if (isAllowed) await insertCommandAction(trx, { action: 'retry-refund', subject: saleId, reason })
    return isAllowed
  })
}
