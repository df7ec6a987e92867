import { instantText, isAfter, type TimePosition } from '@marketplace/kit/db/time-order.ts'
import { sql } from 'kysely'
import type { Db, Trx } from '../db.ts'

/** States that one member has blocked another. */
export interface Block {
  blockerId: string
  blockedId: string
}

export interface ListedBlock {
  id: string
  name: string
  picture: string | null
  createdAt: Date
  /** `createdAt` as text with microseconds, for the paging cursor. */
  at: string
}

/**
 * Locks the given accounts, except erased ones, and returns the ids of the locked accounts. Rows are locked in id
 * order, so that concurrent transactions cannot deadlock.
 */
export async function lockAccounts(trx: Trx, ids: readonly string[]): Promise<string[]> {
  const rows = await trx
    .selectFrom('accounts')
    .select('id')
    .where('id', 'in', ids)
    .where('provider', '<>', 'erased')
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  return rows.map(({ id }) => id)
}

/** Inserts the block. Returns false if the block already exists. */
export async function insertBlock(trx: Trx, { blockerId, blockedId }: Block): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('blocks')
    .values({ blocker_id: blockerId, blocked_id: blockedId })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return (numInsertedOrUpdatedRows ?? 0n) > 0n
}

/** Deletes the block. Returns whether the block existed. */
export async function deleteBlock(trx: Trx, { blockerId, blockedId }: Block): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('blocks')
    .where('blocker_id', '=', blockerId)
    .where('blocked_id', '=', blockedId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Deletes all blocks in which the member is the blocker or the blocked member. Returns the deleted blocks. */
export async function deleteBlocksOfMember(trx: Trx, id: string): Promise<Block[]> {
  const rows = await trx
    .deleteFrom('blocks')
    .where((either) => either.or([either('blocker_id', '=', id), either('blocked_id', '=', id)]))
    .returning(['blocker_id as blockerId', 'blocked_id as blockedId'])
    .execute()
  return rows
}

/** Counts the members that this member has blocked. Stops counting at `max`. */
export async function countBlocks(trx: Trx, blockerId: string, max: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (select from blocks where blocker_id = ${blockerId} limit ${max}) as counted`.execute(
    trx,
  )
  return rows[0]?.count ?? 0
}

/** Reserves `count` numbers for block events, and returns them in ascending order. */
export async function takeBlockNumbers(trx: Trx, count: number): Promise<number[]> {
  const { rows } = await sql<{ number: number }>`
    select nextval('block_numbers') as number from generate_series(1, ${count}::int)`.execute(trx)
  return rows.map(({ number }) => number)
}

/** Lists the members whom this member has blocked, newest first. */
export async function listBlocks(
  db: Db,
  blockerId: string,
  { after, rows: limit }: { after: TimePosition | null; rows: number },
): Promise<ListedBlock[]> {
  const { rows } = await sql<ListedBlock>`
    select a.id, a.name, a.picture, b.created_at as "createdAt", ${instantText('b.created_at')} as at
    from blocks b join accounts a on a.id = b.blocked_id
    where b.blocker_id = ${blockerId} and ${isAfter(['b.created_at', 'b.blocked_id'], after)}
    order by b.created_at desc, b.blocked_id desc limit ${limit}`.execute(db)
  return rows
}
