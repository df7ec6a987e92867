import { sql } from 'kysely'
import type { Db } from '../db.ts'

export interface Unfinished {
  refunding: number
  /** Seconds; 0 while there is none. */
  refundAge: number
  releaseAge: number
  webhookAge: number
}

/** What waits for the card network. A refund's age is that of its sale's payment or late success: retries touch the row. */
export async function readUnfinished(db: Db): Promise<Unfinished> {
  const { rows } = await sql<Unfinished>`
    select
      (select count(*) from transactions where next_at is not null and state = 'refunding') as refunding,
      (select ${age('min(recorded_at)')} from journals j join transactions t on t.id = j.sale_id
        where t.next_at is not null and t.state = 'refunding' and j.kind in ('refund_owed', 'late_capture')) as "refundAge",
      (select ${age('min(expires_at)')} from transactions where next_at is not null and state = 'releasing') as "releaseAge",
      (select ${age('min(received_at)')} from webhook_events where next_at is not null) as "webhookAge"`.execute(db)
  const [row] = rows
  if (!row) throw new Error('The database did not answer what is unfinished.')
  return row
}

const age = (since: string) =>
  sql.raw(`greatest(0, coalesce(extract(epoch from clock_timestamp() - ${since}), 0))::float8`)
