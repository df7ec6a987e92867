import { sql } from 'kysely'
import type { Db } from '../db.ts'
import { recheckDelaysMs } from './recheck-delays.ts'

// Maximum number of paid sales that a process checks at a time. A process also checks 1 open dispute at a time. Each
// check makes two provider calls, so a process makes at most (3 + 1) × 2 = 8 of these calls at a time.
const claimBatch = 3

/**
 * Claims paid sales whose refunds and disputes are due to be read from the provider again, and schedules the next read
 * of each. After the last of `recheckDelaysMs`, no further read is scheduled.
 */
export async function claimRechecks(db: Db): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with due as materialized (
      select id from transactions where recheck_at <= statement_timestamp()
      order by recheck_at limit ${claimBatch} for update skip locked
    )
    update transactions set rechecks = rechecks + 1,
      recheck_at = clock_timestamp() + (${[...recheckDelaysMs]}::bigint[])[rechecks + 2] * interval '1 millisecond'
        - (${[...recheckDelaysMs]}::bigint[])[rechecks + 1] * interval '1 millisecond'
    from due where transactions.id = due.id
    returning transactions.id`.execute(db)
  return rows.map(({ id }) => id)
}
