import { newId } from '@marketplace/kit/values/ids.ts'
import { sql, type SqlBool } from 'kysely'
import type { Db, Trx } from '../db.ts'
import { declareChargebacksCounted } from './refunds.repo.ts'

// A retry by an operator allows as many attempts again as the default of the column `attempts_allowed`.
const attemptsPerRetry = 20

// Banks credit a refund within ten business days.
const maxOpenMs = 14 * 24 * 3_600_000
const maxMarked = 100

/** Marks a refund that failed as often as it may be requested. Returns false if it was marked before. */
export async function markStuck(trx: Trx, id: string, failedAttempts: number): Promise<boolean> {
  await declareChargebacksCounted(trx)
  const { rows } = await sql<{ isNew: boolean }>`
    update refunds set stuck_at = coalesce(refunds.stuck_at, clock_timestamp()),
      attempts_allowed = greatest(refunds.attempts_allowed, ${failedAttempts})
    from refunds as before where refunds.id = ${id} and before.id = refunds.id and refunds.state = 'owed'
    returning before.stuck_at is null as "isNew"`.execute(trx)
  return rows[0]?.isNew === true
}

/** Marks a batch of refunds that the buyer has not received after 14 days. Returns the ids of their sales. */
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
 * Allows 20 more attempts for the stuck refunds of a sale that are not pending at the provider, and makes the sale due.
 * Returns false if the sale has none.
 */
export async function allowMoreAttempts(trx: Trx, saleId: string): Promise<boolean> {
  // Locks the sale before its refunds, as `applyRefunds` does.
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

/** Records an action that an operator took with a command-line command. */
export async function insertCommandAction(
  trx: Trx,
  action: { action: string; subject: string; reason: string },
): Promise<void> {
  await trx
    .insertInto('staff_actions')
    .values({ id: newId(), staff_id: null, ...action })
    .execute()
}

// Must imply the condition of the index `refunds_unfinished`.
const isUnfinished = sql<SqlBool>`state in ('owed', 'pending')`
