import { sql } from 'kysely'
import type { Trx } from '../db.ts'

const lockKey = (userId: string) => sql`hashtextextended('messaging.erasure ' || ${userId}::text, 0)`

/**
 * Delays an erasure of the user until the transaction ends. To prevent deadlocks, the caller must lock its sender
 * first, and conversations afterwards.
 */
export async function delayErasure(trx: Trx, userId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(${lockKey(userId)})`.execute(trx)
}

/** Records that the user is erased, when no other transaction delays the erasure. See `delayErasure`. */
export async function recordErasure(trx: Trx, userId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(${lockKey(userId)})`.execute(trx)
  await trx
    .insertInto('erased_users')
    .values({ user_id: userId })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Returns whether the user is erased. The caller must delay the erasure or hold the lock of the user as a sender. */
export async function isErased(trx: Trx, userId: string): Promise<boolean> {
  const erased = await trx.selectFrom('erased_users').select('user_id').where('user_id', '=', userId).executeTakeFirst()
  return erased !== undefined
}
