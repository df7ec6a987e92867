import { sql } from 'kysely'
import type { Db } from '../db.ts'
import { recheckDelaysMs } from './recheck-delays.ts'

// Maximum number of paid sales that a process checks at a time; small, to limit concurrent provider calls (2 per
// check).
const claimBatch = 3

export interface Recheck {
  saleId: string
  /** Time of the next read with all its digits, which a Date does not keep; null if this read is the last. */
  nextAt: string | null
}

/**
 * Claims paid sales whose refunds and disputes are due to be read, and schedules the next read of each. After the last
 * delay in `recheckDelaysMs`, no further read is scheduled.
 */
export async function claimRechecks(db: Db): Promise<Recheck[]> {
  const { rows } = await sql<Recheck>`
    with due as materialized (
      select id from transactions where recheck_at <= statement_timestamp()
      order by recheck_at limit ${claimBatch} for update skip locked
    )
    update transactions set rechecks = rechecks + 1,
      recheck_at = clock_timestamp() + (${[...recheckDelaysMs]}::bigint[])[rechecks + 2] * interval '1 millisecond'
        - (${[...recheckDelaysMs]}::bigint[])[rechecks + 1] * interval '1 millisecond'
    from due where transactions.id = due.id
    returning transactions.id as "saleId", recheck_at::text as "nextAt"`.execute(db)
  return rows
}

/** Schedules a claimed read again in an hour, because it got no response. Does nothing if the schedule has changed. */
export async function repeatRecheck(db: Db, { saleId, nextAt }: Recheck): Promise<void> {
  await sql`
    update transactions set rechecks = rechecks - 1,
      recheck_at = clock_timestamp() + ${recheckDelaysMs[0]} * interval '1 millisecond'
    where id = ${saleId} and recheck_at is not distinct from ${nextAt}::timestamptz`.execute(db)
}
