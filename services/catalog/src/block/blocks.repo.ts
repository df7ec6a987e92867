import { sql } from 'kysely'
import type { Trx } from '../db.ts'

/** Two members in any order. */
export type Pair = readonly [memberId: string, otherId: string]

/**
 * Locks pairs of members until the transaction ends, so that blocks and offers between two members are processed one at
 * a time. To prevent deadlocks, the caller must lock the pairs before it locks any listing.
 */
export async function lockPairs(trx: Trx, pairs: readonly Pair[]): Promise<void> {
  const keys = pairs.map((pair) => pair.toSorted().join(' ')).toSorted()
  await sql`
    select pg_advisory_xact_lock(hashtextextended('catalog.pair ' || key, 0)) from unnest(${keys}::text[]) as key`.execute(
    trx,
  )
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
