import { sql } from 'kysely'
import type { Db } from '../db.ts'

export interface SaleBacklog {
  refunding: number
  /**
   * Age in seconds of the oldest refund that must be requested (`refundAge`), unfinished release (`releaseAge`) and
   * webhook (`webhookAge`); 0 if there is none.
   */
  refundAge: number
  releaseAge: number
  webhookAge: number
  /** Number of sales whose payment intent differs from the sale, for example in its amount. */
  mismatched: number
}

/** Reads how much work with the card provider is unfinished. */
export async function readSaleBacklog(db: Db): Promise<SaleBacklog> {
  const { rows } = await sql<SaleBacklog>`
    select
      (select count(*) from transactions where next_at is not null and state = 'refunding') as refunding,
      (select ${age('min(since)')} from (${refundsToRequest}) as refunds) as "refundAge",
      (select ${age('min(expires_at)')} from transactions where next_at is not null and state = 'releasing') as "releaseAge",
      (select ${age('min(received_at)')} from webhook_events where next_at is not null) as "webhookAge",
      (select count(*) from transactions where mismatched_at is not null) as mismatched`.execute(db)
  const [row] = rows
  if (!row) throw new Error('The backlog query returned no row.')
  return row
}

// Refunds that are owed, except those that are stuck (alert RefundStuck) and those that wait for a dispute (as in
// `blocksRefunds`). `since` is the time from which the refund could be requested. Retries do not change it.
const refundsToRequest = sql.raw(`
  select greatest(r.updated_at, (
    select max(coalesce(d.closed_at, d.changed_at)) from disputes d
    where d.sale_id = r.sale_id and not starts_with(d.state, 'warning_'))) as since
  from refunds r join transactions t on t.id = r.sale_id
  where r.state = 'owed' and r.stuck_at is null and t.state = 'refunding' and t.next_at is not null and not exists (
    select from disputes d where d.sale_id = r.sale_id and d.closed_at is null and d.state <> 'won'
      and not starts_with(d.state, 'warning_'))`)

const age = (since: string) =>
  sql.raw(`greatest(0, coalesce(extract(epoch from clock_timestamp() - ${since}), 0))::float8`)
