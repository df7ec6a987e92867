import * as kit from '@marketplace/kit/blocks/block-projection.ts'
import { sql } from 'kysely'
import type { Trx } from '../db.ts'

/**
 * Locks pairs of members until the transaction ends, so that blocks and messages between two members are processed one
 * at a time. To prevent deadlocks, the caller must lock its conversation before a pair.
 */
export function lockPairs(trx: Trx, pairs: readonly kit.Pair[]): Promise<void> {
  return kit.lockPairs(trx, 'messaging', pairs)
}

/** Returns whether one of the two members has blocked the other one. */
export async function isBlockedEitherWay(trx: Trx, memberId: string, otherId: string): Promise<boolean> {
  const { rows } = await sql<{ isBlocked: boolean }>`
    select exists (
      select from blocks where is_blocked
        and (blocker_id, blocked_id) in ((${memberId}::uuid, ${otherId}::uuid), (${otherId}::uuid, ${memberId}::uuid))
    ) as "isBlocked"`.execute(trx)
  return rows[0]?.isBlocked === true
}
