import { sql } from 'kysely'
import type { Db } from '../db.ts'
import { recheckDelaysMs } from './recheck-delays.ts'

// Maximum number of paid sales that a process checks at a time; small, to limit concurrent provider calls (2 per
// check).
const claimBatch = 3

/**
 * Claims paid sales whose refunds and disputes are due to be read, schedules the next read of each, and returns the ids
 * of the sales. After the last delay in `recheckDelaysMs`, no further read is scheduled.
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
