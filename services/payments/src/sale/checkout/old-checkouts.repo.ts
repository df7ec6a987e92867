import { deleteExpired } from '@marketplace/kit/db/delete-expired.ts'
import { sql } from 'kysely'
import type { Db } from '../../db.ts'

const retentionMs = 30 * 24 * 3_600_000
const deleteBatch = 500

/**
 * Deletes checkouts that were released without a payment intent more than 30 days ago, at most 500 per call: no money
 * moved, no user sees them, and the limits of a buyer's checkouts no longer count them. Keeps those that a person must
 * examine. Returns the number of deleted checkouts.
 */
export function deleteOldCheckouts(db: Db): Promise<number> {
  // The same condition as in the partial index `transactions_old_checkouts`, so that the planner can use the index.
  const where = sql<boolean>`
    transaction_type = 'buy_now' and state = 'released' and intent_id is null and mismatched_at is null`
  return deleteExpired(db, { table: 'transactions', time: 'updated_at', ageMs: retentionMs, limit: deleteBatch, where })
}
