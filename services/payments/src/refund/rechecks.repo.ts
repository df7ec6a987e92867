import { sql } from 'kysely'
import type { Db } from '../db.ts'
import { recheckDelaysMs } from './recheck-delays.ts'

// Two calls each. With those of open disputes the background calls of the provider stay at 8 per second and process.
const claimBatch = 3

/** Claims sales whose recheck is due and schedules the next recheck of each. No recheck follows the last one. */
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
