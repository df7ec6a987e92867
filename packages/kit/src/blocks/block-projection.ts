import { endedBlockRetentionMs, type BlockChange } from '@marketplace/contracts/block-changes.ts'
import { sql } from 'kysely'
import type { Db, Trx } from '../db/db.ts'
import { deleteExpired } from '../db/delete-expired.ts'

/**
 * Stores changes of blocks between members in the service's table `blocks`. Ignores a change if a later change of the
 * same block is already stored.
 */
export async function saveBlockChanges<Tables>(trx: Trx<Tables>, changes: readonly BlockChange[]): Promise<void> {
  await sql`
    insert into blocks (blocker_id, blocked_id, is_blocked, number)
    select * from unnest(
      ${changes.map(({ blockerId }) => blockerId)}::uuid[], ${changes.map(({ blockedId }) => blockedId)}::uuid[],
      ${changes.map(({ isBlocked }) => isBlocked)}::boolean[], ${changes.map(({ number }) => number)}::bigint[]
    )
    on conflict (blocker_id, blocked_id) do update
      set is_blocked = excluded.is_blocked, number = excluded.number, changed_at = excluded.changed_at
      where blocks.number < excluded.number`.execute(trx)
}

/** Deletes all blocks in which this member blocks someone or is blocked. Returns the number of deleted blocks. */
export async function deleteBlocksOfMember<Tables>(trx: Trx<Tables>, id: string): Promise<number> {
  const { numAffectedRows } = await sql`delete from blocks where blocker_id = ${id} or blocked_id = ${id}`.execute(trx)
  return Number(numAffectedRows ?? 0)
}

const deletionBatchSize = 1000

/**
 * Deletes up to 1,000 blocks that ended more than `endedBlockRetentionMs` ago. Returns the number of deleted blocks.
 */
export function deleteEndedBlocks<Tables>(db: Db<Tables>): Promise<number> {
  const where = sql<boolean>`not is_blocked`
  return deleteExpired(db, {
    table: 'blocks',
    time: 'changed_at',
    ageMs: endedBlockRetentionMs,
    limit: deletionBatchSize,
    where,
  })
}
