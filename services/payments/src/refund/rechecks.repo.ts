import { sql } from 'kysely'
import type { Db } from '../db.ts'
import { recheckDelaysMs } from './recheck-delays.ts'

// Maximum number of paid sales that a process checks at a time. With 1 open dispute checked at the same time and two
// provider calls per check, a process makes at most (3 + 1) × 2 = 8 of these calls at a time.
const claimBatch = 3

/**
 * Claims paid sales whose next read of refunds and disputes is due, and schedules the read after it. After the last
 * delay in `recheckDelaysMs`, no further read is scheduled. Returns the ids of the sales.
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
