import { transaction } from '@marketplace/kit/db/db.ts'
import { insertCommandAction } from '@marketplace/kit/staff-actions/staff-actions.ts'
import { counter } from '@marketplace/kit/telemetry/metrics.ts'
import type { Context } from '../context.ts'
import type { Db, Trx } from '../db.ts'
import {
  endSuspension,
  findStruckUser,
  findUsersWithStrikes,
  insertStrikes,
  lockStrikes,
  markLifted,
  suspendBidders,
  type Strike,
} from './strikes.repo.ts'

export interface StrikeLimits extends Pick<Context['settings'], 'MAX_STRIKES' | 'STRIKE_WINDOW_MS' | 'SUSPENSION_MS'> {}

const strikes = counter('auction_strikes_total', 'Won auctions that were not paid in time.')

/**
 * Records strikes for unpaid wins, and suspends winners who reach `MAX_STRIKES`. Skips sales that already have a
 * strike. The caller must have called `lockStrikes`.
 */
export async function recordStrikes(trx: Trx, unpaid: readonly Strike[], limits: StrikeLimits): Promise<void> {
  if (unpaid.length === 0) return
  const struck = await insertStrikes(trx, unpaid)
  strikes.inc(struck.length)
  const suspended = await usersAtLimit(trx, struck, limits)
  if (suspended.length > 0) await suspendBidders(trx, suspended, limits.SUSPENSION_MS)
}

function usersAtLimit(trx: Trx, userIds: readonly string[], limits: StrikeLimits): Promise<string[]> {
  return findUsersWithStrikes(trx, userIds, { count: limits.MAX_STRIKES, windowMs: limits.STRIKE_WINDOW_MS })
}

export type LiftResult = 'lifted' | 'lifted_before' | 'missing'

/** Lifts a strike. If fewer than MAX_STRIKES strikes remain, also ends the suspension. */
export function liftStrike(
  db: Db,
  { saleId, reason }: { saleId: string; reason: string },
  limits: StrikeLimits,
): Promise<LiftResult> {
  return transaction(db, async (trx) => {
    const userId = await findStruckUser(trx, saleId)
    if (userId === undefined) return 'missing'
    await lockStrikes(trx, [userId])
    if (!(await markLifted(trx, saleId))) return 'lifted_before'
    await insertCommandAction(trx, { action: 'lift-strike', subject: saleId, reason })
    const isAtLimit = (await usersAtLimit(trx, [userId], limits)).length > 0
    if (!isAtLimit) await endSuspension(trx, userId)
    return 'lifted'
  })
}
