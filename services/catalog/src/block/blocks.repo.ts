import { endedBlockRetentionMs, type BlockChange } from '@marketplace/contracts/block-changes.ts'
import { deleteExpired } from '@marketplace/kit/db/delete-expired.ts'
import { sql } from 'kysely'
import type { Db, Trx } from '../db.ts'

/** Two members in any order. */
export type Pair = readonly [memberId: string, otherId: string]

/**
 * Locks these pairs of members until the transaction ends, so that a block and an offer between two members come one
 * after the other. Must be called before a listing's row is locked: the fixed order prevents deadlocks.
 */
export async function lockPairs(trx: Trx, pairs: readonly Pair[]): Promise<void> {
  const keys = pairs.map((pair) => pair.toSorted().join(' ')).toSorted()
  await sql`
    select pg_advisory_xact_lock(hashtextextended('catalog.pair ' || key, 0)) from unnest(${keys}::text[]) as key`.execute(
    trx,
  )
}

/** Stores the state of blocks. Ignores a change if a later change of the same block is already stored. */
export async function saveBlockChanges(trx: Trx, changes: readonly BlockChange[]): Promise<void> {
  await trx
    .insertInto('blocks')
    .values(
      changes.map(({ blockerId, blockedId, isBlocked, number }) => ({
        blocker_id: blockerId,
        blocked_id: blockedId,
        is_blocked: isBlocked,
        number,
      })),
    )
    .onConflict((conflict) =>
      conflict
        .columns(['blocker_id', 'blocked_id'])
        .doUpdateSet((row) => ({
          is_blocked: row.ref('excluded.is_blocked'),
          number: row.ref('excluded.number'),
          changed_at: row.ref('excluded.changed_at'),
        }))
        .whereRef('blocks.number', '<', 'excluded.number'),
    )
    .execute()
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

/** Deletes all blocks by this member and of this member. Returns their number. */
export async function deleteBlocksOfMember(trx: Trx, id: string): Promise<number> {
  const { numAffectedRows } = await sql`delete from blocks where blocker_id = ${id} or blocked_id = ${id}`.execute(trx)
  return Number(numAffectedRows ?? 0)
}

const deletionBatchSize = 1000

/** Deletes the records of blocks that ended long ago. Returns their number. */
export function deleteEndedBlocks(db: Db): Promise<number> {
  const where = sql<boolean>`not is_blocked`
  return deleteExpired(db, {
    table: 'blocks',
    time: 'changed_at',
    ageMs: endedBlockRetentionMs,
    limit: deletionBatchSize,
    where,
  })
}
