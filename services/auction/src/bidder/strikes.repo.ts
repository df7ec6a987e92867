import { deleteExpired } from '@marketplace/kit/db/delete-expired.ts'
import { sql } from 'kysely'
import type { Db, Trx } from '../db.ts'

// Value of `bars.seller_id` for a suspension that applies to the auctions of all sellers.
const everySeller = '00000000-0000-0000-0000-000000000000'

/**
 * Locks the strikes of these people until the transaction ends. To prevent deadlocks, the caller must lock strikes
 * before it locks any auction's row.
 */
export async function lockStrikes(trx: Trx, userIds: readonly string[]): Promise<void> {
  // Sorted, so that concurrent transactions with the same people cannot deadlock.
  const sorted = [...new Set(userIds)].toSorted()
  await sql`
    select pg_advisory_xact_lock(hashtextextended('auction.strikes:' || id, 0)) from unnest(${sorted}::uuid[]) as id`.execute(
    trx,
  )
}

export interface Strike {
  saleId: string
  userId: string
}

/** Stores strikes. Skips sales that already have a strike. Returns the user ids of the stored strikes. */
export async function insertStrikes(trx: Trx, strikes: readonly Strike[]): Promise<string[]> {
  const rows = await trx
    .insertInto('strikes')
    .values(strikes.map(({ saleId, userId }) => ({ sale_id: saleId, user_id: userId })))
    .onConflict((conflict) => conflict.column('sale_id').doNothing())
    .returning('user_id')
    .execute()
  return rows.map((row) => row.user_id)
}

/** Returns the users who have at least `count` strikes from the last `windowMs`. */
export async function findUsersWithStrikes(
  trx: Trx,
  userIds: readonly string[],
  { count, windowMs }: { count: number; windowMs: number },
): Promise<string[]> {
  const { rows } = await sql<{ user_id: string }>`
    select user_id from strikes
    where user_id = any(${[...userIds]}::uuid[]) and lifted_at is null
      and struck_at > clock_timestamp() - ${windowMs} * interval '1 millisecond'
    group by user_id having count(*) >= ${count}`.execute(trx)
  return rows.map((row) => row.user_id)
}

/**
 * Suspends users from bidding in the auctions of all sellers, for `suspensionMs` from now. An existing suspension that
 * ends later is kept.
 */
export async function suspendBidders(trx: Trx, userIds: readonly string[], suspensionMs: number): Promise<void> {
  await sql`
    insert into bars (bidder_id, seller_id, reason, until)
    select id, ${everySeller}, 'unpaid', clock_timestamp() + ${suspensionMs} * interval '1 millisecond'
    from unnest(${[...userIds]}::uuid[]) as id
    on conflict (bidder_id, seller_id, reason) do update
      set until = greatest(bars.until, excluded.until),
        created_at = case when bars.until > clock_timestamp() then bars.created_at else excluded.created_at end`.execute(
    trx,
  )
}

export async function endSuspension(trx: Trx, userId: string): Promise<void> {
  await trx
    .deleteFrom('bars')
    .where('bidder_id', '=', userId)
    .where('seller_id', '=', everySeller)
    .where('reason', '=', 'unpaid')
    .execute()
}

/** Returns the id of the user who received a strike for this sale, or undefined if the sale has no strike. */
export async function findStruckUser(trx: Trx, saleId: string): Promise<string | undefined> {
  const row = await trx.selectFrom('strikes').select('user_id').where('sale_id', '=', saleId).executeTakeFirst()
  return row?.user_id
}

/** Marks the strike of a sale as lifted. Returns false if it was already lifted. */
export async function markLifted(trx: Trx, saleId: string): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('strikes')
    .set({ lifted_at: sql<Date>`clock_timestamp()` })
    .where('sale_id', '=', saleId)
    .where('lifted_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

const retentionMs = 365 * 24 * 3_600_000
const maxDeleted = 1000

/** Deletes a batch of strikes that are more than a year old. Returns the number of deleted rows. */
export function deleteExpiredStrikes(db: Db): Promise<number> {
  return deleteExpired(db, { table: 'strikes', time: 'struck_at', ageMs: retentionMs, limit: maxDeleted })
}
