import { endedBlockRetentionMs, type BlockChange } from '@marketplace/contracts/block-changes.ts'
import { deleteExpired } from '@marketplace/kit/db/delete-expired.ts'
import { sql } from 'kysely'
import type { Db, Trx } from '../db.ts'

/**
 * Stores which members each seller blocks or unblocks. Ignores a change if a later change for the same seller and
 * member is already stored.
 */
export async function saveBlockChanges(trx: Trx, changes: readonly BlockChange[]): Promise<void> {
  const rows = changes.map(({ blockerId, blockedId, isBlocked, number }) => ({
    seller_id: blockerId,
    bidder_id: blockedId,
    is_blocked: isBlocked,
    number,
  }))
  await sql`
    insert into bars (bidder_id, seller_id, reason, until, number)
    select bidder_id, seller_id, 'blocked', case when is_blocked then null else clock_timestamp() end, number
    from json_to_recordset(${JSON.stringify(rows)}::json) as change (bidder_id uuid, seller_id uuid, is_blocked boolean, number bigint)
    on conflict (bidder_id, seller_id, reason) do update
      set until = excluded.until, number = excluded.number, created_at = excluded.created_at
      where bars.number < excluded.number`.execute(trx)
}

/** Returns whether this person cannot bid on or buy the items of this seller. */
export async function isBarredBySeller(trx: Trx, bidderId: string, sellerId: string): Promise<boolean> {
  const { rows } = await sql<{ isBarred: boolean }>`
    select exists (
      select from bars where bidder_id = ${bidderId} and seller_id = ${sellerId} and (until is null or until > clock_timestamp())
    ) as "isBarred"`.execute(trx)
  return rows[0]?.isBarred === true
}

const deletionBatchSize = 1000

/** Deletes a batch of blocks that ended more than `endedBlockRetentionMs` ago. Returns their number. */
export function deleteEndedBlocks(db: Db): Promise<number> {
  const where = sql<boolean>`reason = 'blocked'`
  return deleteExpired(db, {
    table: 'bars',
    time: 'until',
    ageMs: endedBlockRetentionMs,
    limit: deletionBatchSize,
    where,
  })
}
