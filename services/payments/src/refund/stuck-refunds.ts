import { transaction } from '@marketplace/kit/db/db.ts'
import { insertCommandAction } from '@marketplace/kit/staff-actions/staff-actions.ts'
import type { Context } from '../context.ts'
import type { Db } from '../db.ts'
import { allowMoreAttempts, markOverdueRefunds } from './stuck-refunds.repo.ts'

/**
 * Marks refunds as stuck if they have not reached the buyer after 14 days, so that an operator, the buyer and the
 * seller see the delay. Returns the number of marked refunds.
 */
export async function sweepOverdueRefunds(ctx: Context): Promise<number> {
  const saleIds = await transaction(ctx.db, markOverdueRefunds)
  for (const saleId of saleIds) ctx.log.error({ saleId }, 'refund stuck')
  return saleIds.length
}

/**
 * Allows more attempts for a sale's refunds that are stuck and still owed, and records the operator's action. Returns
 * false if there is no refund to retry.
 */
export function retryRefund(db: Db, { saleId, reason }: { saleId: string; reason: string }): Promise<boolean> {
  return transaction(db, async (trx) => {
    const isAllowed = await allowMoreAttempts(trx, saleId)
    if (isAllowed) await insertCommandAction(trx, { action: 'retry-refund', subject: saleId, reason })
    return isAllowed
  })
}
