import { endedBlockRetentionMs, latestBlockChanges, type BlockChange } from '@marketplace/contracts/block-changes.ts'
import type { BlockChanged } from '@marketplace/contracts/gen/marketplace/users/v1/users_pb.ts'
import { sql } from 'kysely'
import type { Db, Trx } from '../db/db.ts'
import { deleteExpired } from '../db/delete-expired.ts'

/** Two members in any order. */
export type Pair = readonly [memberId: string, otherId: string]

/**
 * Locks pairs of members until the transaction ends, so that a service processes blocks and other changes between two
 * members one at a time. `service` separates the locks of the services, which share a database.
 */
export async function lockPairs<Tables>(trx: Trx<Tables>, service: string, pairs: readonly Pair[]): Promise<void> {
  const keys = pairs.map((pair) => pair.toSorted().join(' ')).toSorted()
  await sql`
    select pg_advisory_xact_lock(hashtextextended(${service}::text || '.pair ' || key, 0)) from unnest(${keys}::text[]) as key`.execute(
    trx,
  )
}

export interface BlockHandling {
  /** Name of the service, which is part of the lock keys of `lockPairs`. */
  service: string
  onBlocked: (pairs: readonly Pair[]) => Promise<void>
}

/**
 * Applies a batch of block events: locks the pairs of all blocks, including blocks that a later event of the batch ends,
 * stores the blocks in the service's table `blocks`, and calls `onBlocked` with these pairs.
 */
export async function applyBlocks<Tables>(
  trx: Trx<Tables>,
  events: readonly BlockChanged[],
  { service, onBlocked }: BlockHandling,
): Promise<void> {
  const pairs = events
    .filter(({ isBlocked }) => isBlocked)
    .map(({ blockerId, blockedId }): Pair => [blockerId, blockedId])
  await lockPairs(trx, service, pairs)
  await saveBlockChanges(trx, latestBlockChanges(events))
  await onBlocked(pairs)
}

// Ignores a change if a later change of the same block is already stored.
async function saveBlockChanges<Tables>(trx: Trx<Tables>, changes: readonly BlockChange[]): Promise<void> {
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
