import { sql } from 'kysely'
import type { Trx } from '../db.ts'

/**
 * Locks a sender until the transaction ends, so that concurrent transactions cannot exceed the sender's quotas, and the
 * sender's erasure finds every message. To prevent deadlocks, every transaction takes this lock before it locks a
 * conversation.
 */
export async function lockSender(trx: Trx, senderId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('messaging.sender ' || ${senderId}::text, 0))`.execute(trx)
}

/** Counts the sender's messages of the last 24 hours, at most `limit`. */
export function countMessages(trx: Trx, senderId: string, limit: number): Promise<number> {
  return countRows(trx, sql`messages where sender_id = ${senderId}`, limit)
}

/** Counts the conversations that the buyer started in the last 24 hours, at most `limit`. */
export function countConversations(trx: Trx, buyerId: string, limit: number): Promise<number> {
  return countRows(trx, sql`conversations where buyer_id = ${buyerId}`, limit)
}

async function countRows(trx: Trx, from: ReturnType<typeof sql>, limit: number): Promise<number> {
  // Uses `statement_timestamp()`, because Postgres cannot use an index with the volatile `clock_timestamp()`. The count is
  // exact nevertheless: the statement starts when its transaction holds the sender's lock.
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (
      select from ${from} and created_at > statement_timestamp() - interval '24 hours' limit ${limit}
    ) as counted`.execute(trx)
  return rows[0]?.count ?? 0
}
