import { endedBlockRetentionMs, type BlockChange } from '@marketplace/contracts/block-changes.ts'
import { deleteExpired } from '@marketplace/kit/db/delete-expired.ts'
import { sql } from 'kysely'
import type { Db, Trx } from '../db.ts'

/** Stores the state of blocks. Changes that arrive after a later change of the same block are ignored. */
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

/** Returns whether one of the two members has blocked the other one. */
export async function isBlockedEitherWay(trx: Trx, memberId: string, otherId: string): Promise<boolean> {
  const { rows } = await sql<{ isBlocked: boolean }>`
    select exists (
      select from blocks where is_blocked
        and (blocker_id, blocked_id) in ((${memberId}::uuid, ${otherId}::uuid), (${otherId}::uuid, ${memberId}::uuid))
    ) as "isBlocked"`.execute(trx)
  return rows[0]?.isBlocked === true
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
