import { sql } from 'kysely'
import type { Db } from '../db.ts'

export interface SaleBacklog {
  refunding: number
  /**
   * Age in seconds of the oldest unfinished refund (`refundAge`), release (`releaseAge`) and webhook (`webhookAge`); 0
   * if there is none.
   */
  refundAge: number
  releaseAge: number
  webhookAge: number
  /** Number of sales whose payment intent differs from the sale, for example in its amount. */
  mismatched: number
}

/**
 * Reads how much work with the card provider is unfinished. The age of a refund is measured from its ledger entries,
 * because retries change the timestamp of the sale.
 */
export async function readSaleBacklog(db: Db): Promise<SaleBacklog> {
  const { rows } = await sql<SaleBacklog>`
    select
      (select count(*) from transactions where next_at is not null and state = 'refunding') as refunding,
      (select ${age('min(recorded_at)')} from journals j join transactions t on t.id = j.sale_id
        where t.next_at is not null and t.state = 'refunding' and j.kind in ('refund_owed', 'late_capture')) as "refundAge",
      (select ${age('min(expires_at)')} from transactions where next_at is not null and state = 'releasing') as "releaseAge",
      (select ${age('min(received_at)')} from webhook_events where next_at is not null) as "webhookAge",
      (select count(*) from transactions where mismatched_at is not null) as mismatched`.execute(db)
  const [row] = rows
  if (!row) throw new Error('The backlog query returned no row.')
  return row
}

const age = (since: string) =>
  sql.raw(`greatest(0, coalesce(extract(epoch from clock_timestamp() - ${since}), 0))::float8`)
