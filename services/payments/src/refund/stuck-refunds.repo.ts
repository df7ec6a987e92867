import { sql, type SqlBool } from 'kysely'
import type { Db, Trx } from '../db.ts'
import { declareChargebacksCounted } from './refunds.repo.ts'

// Number of attempts that an operator's retry adds. Equals the default of the column `attempts_allowed`.
const attemptsPerRetry = 20

// Age after which a refund counts as stuck. Banks credit a refund within ten business days.
const maxOpenMs = 14 * 24 * 3_600_000
const maxMarked = 100

/**
 * Marks a refund as stuck after its last allowed attempt has failed. Returns false if the refund is already marked or
 * no longer owed.
 */
export async function markStuck(trx: Trx, id: string, failedAttempts: number): Promise<boolean> {
  await declareChargebacksCounted(trx)
  const { rows } = await sql<{ isNew: boolean }>`
    update refunds set stuck_at = coalesce(refunds.stuck_at, clock_timestamp()),
      attempts_allowed = greatest(refunds.attempts_allowed, ${failedAttempts})
    from refunds as before where refunds.id = ${id} and before.id = refunds.id and refunds.state = 'owed'
    returning before.stuck_at is null as "isNew"`.execute(trx)
  return rows[0]?.isNew === true
}

/**
 * Marks refunds as stuck if they have not reached the buyer after 14 days, at most 100 per call. Returns the ids of
 * their sales.
 */
export async function markOverdueRefunds(trx: Trx): Promise<string[]> {
  await declareChargebacksCounted(trx)
  const { rows } = await sql<{ sale_id: string }>`
    update refunds set stuck_at = clock_timestamp() where id in (
      select id from refunds where ${isUnfinished} and stuck_at is null
        and created_at <= statement_timestamp() - ${maxOpenMs} * interval '1 millisecond'
      order by created_at limit ${maxMarked} for update skip locked
    ) returning sale_id`.execute(trx)
  return rows.map((row) => row.sale_id)
}

/** Returns the number of stuck refunds. */
export async function countStuckRefunds(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from refunds where ${isUnfinished} and stuck_at is not null`.execute(db)
  return rows[0]?.count ?? 0
}

/**
 * Allows 20 more attempts for a sale's refunds that are stuck and still owed, and makes the sale due for the sweeper.
 * Returns false if there is no refund to retry.
 */
export async function allowMoreAttempts(trx: Trx, saleId: string): Promise<boolean> {
  // The sale is locked before its refunds, as in `applyRefunds`, to prevent deadlocks.
  await trx
    .updateTable('transactions')
    .set({ next_at: sql<Date>`clock_timestamp()` })
    .where('id', '=', saleId)
    .where('state', '=', 'refunding')
    .execute()
  await declareChargebacksCounted(trx)
  const { numAffectedRows = 0n } = await sql`
    update refunds set attempts_allowed = attempts_allowed + ${attemptsPerRetry}
    where sale_id = ${saleId} and state = 'owed' and stuck_at is not null`.execute(trx)
  return numAffectedRows > 0n
}

// The same condition as in the partial index `refunds_unfinished`, so that the planner can use the index.
const isUnfinished = sql<SqlBool>`state in ('owed', 'pending')`
