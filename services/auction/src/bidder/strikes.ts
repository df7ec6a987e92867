import { transaction } from '@marketplace/kit/db/db.ts'
import { counter } from '@marketplace/kit/telemetry/metrics.ts'
import type { Context } from '../context.ts'
import type { Db, Trx } from '../db.ts'
import {
  countStrikes,
  endSuspension,
  findStruckUser,
  insertCommandAction,
  insertStrike,
  lockStrikes,
  markLifted,
  suspendBidder,
} from './strikes.repo.ts'

export interface StrikeLimits extends Pick<Context['settings'], 'MAX_STRIKES' | 'STRIKE_WINDOW_MS' | 'SUSPENSION_MS'> {}

const strikes = counter('auction_strikes_total', 'Won auctions that were not paid in time.')

/**
 * Records a strike for an unpaid win. Suspends the winner from bidding when `MAX_STRIKES` is reached. Does nothing if
 * the sale already has a strike. The caller must have called `lockStrikes`.
 */
export async function recordStrike(
  trx: Trx,
  strike: { saleId: string; userId: string },
  limits: StrikeLimits,
): Promise<void> {
  if (!(await insertStrike(trx, strike))) return
  strikes.inc()
  const count = await countStrikes(trx, strike.userId, limits.STRIKE_WINDOW_MS)
  if (count >= limits.MAX_STRIKES) await suspendBidder(trx, strike.userId, limits.SUSPENSION_MS)
}

export type LiftResult = 'lifted' | 'lifted_before' | 'missing'

/** Lifts a strike. The suspension ends if fewer than MAX_STRIKES strikes remain. */
export function liftStrike(
  db: Db,
  { saleId, reason }: { saleId: string; reason: string },
  limits: StrikeLimits,
): Promise<LiftResult> {
  return transaction(db, async (trx) => {
    const userId = await findStruckUser(trx, saleId)
    if (userId === undefined) return 'missing'
    await lockStrikes(trx, userId)
    if (!(await markLifted(trx, saleId))) return 'lifted_before'
    await insertCommandAction(trx, { action: 'lift-strike', subject: saleId, reason })
    const remaining = await countStrikes(trx, userId, limits.STRIKE_WINDOW_MS)
    if (remaining < limits.MAX_STRIKES) await endSuspension(trx, userId)
    return 'lifted'
  })
}
