import * as kit from '@marketplace/kit/blocks/block-projection.ts'
import type { Trx } from '../db.ts'

/**
 * Locks pairs of members until the transaction ends, so that blocks and offers between two members are processed one at
 * a time. To prevent deadlocks, the caller must lock the pairs before it locks any listing.
 */
export function lockPairs(trx: Trx, pairs: readonly kit.Pair[]): Promise<void> {
  return kit.lockPairs(trx, 'catalog', pairs)
}

export async function isBlocked(trx: Trx, blockerId: string, blockedId: string): Promise<boolean> {
  const block = await trx
    .selectFrom('blocks')
    .select('is_blocked')
    .where('blocker_id', '=', blockerId)
    .where('blocked_id', '=', blockedId)
    .executeTakeFirst()
  return block?.is_blocked === true
}
