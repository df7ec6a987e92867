import { sql } from 'kysely'
import type { PaymentsSettings } from '../config.ts'
import type { Db } from '../db.ts'
import type { SaleState } from './sale.ts'

// Maximum number of sales that a process claims at once, to limit how many sales a crash delays.
const claimBatch = 20

export type SweepSettings = Pick<
  PaymentsSettings,
  'PAYMENT_POLL_INTERVAL_MS' | 'PAYMENT_FAST_POLL_WINDOW_MS' | 'PAYMENT_SLOW_POLL_INTERVAL_MS' | 'RETRY_DELAY_MS'
>

export interface DueSale {
  id: string
  /** State when the sale was claimed. */
  state: SaleState
}

/** Claims due sales and schedules the next claim of each, so that another process continues if this one crashes. */
export async function claimDueSales(db: Db, settings: SweepSettings): Promise<DueSale[]> {
  const { PAYMENT_POLL_INTERVAL_MS, PAYMENT_FAST_POLL_WINDOW_MS, PAYMENT_SLOW_POLL_INTERVAL_MS, RETRY_DELAY_MS } =
    settings
  // The filter uses statement_timestamp(), because clock_timestamp() is volatile and cannot be an index condition.
  const { rows } = await sql<DueSale>`
    with due as materialized (
      select id from transactions
      where next_at <= statement_timestamp() or (state = 'refunding' and next_at is null)
      order by next_at nulls first limit ${claimBatch} for update skip locked
    )
    update transactions set next_at = case
      when expires_at <= now or state in ('releasing', 'released', 'refunding') then now + ${RETRY_DELAY_MS} * interval '1 millisecond'
      when state = 'payable' and asked_at > now - ${PAYMENT_FAST_POLL_WINDOW_MS} * interval '1 millisecond'
        then least(expires_at, now + ${PAYMENT_POLL_INTERVAL_MS} * interval '1 millisecond')
      when state = 'payable' then least(expires_at, now + ${PAYMENT_SLOW_POLL_INTERVAL_MS} * interval '1 millisecond')
      else expires_at
    end
    from due, (select clock_timestamp() as now) as clock
    where transactions.id = due.id
    returning transactions.id, transactions.state`.execute(db)
  return rows
}

/**
 * Stops checking a released sale for a late payment, after the provider has confirmed that the buyer was not charged.
 */
export async function stopRechecks(db: Db, id: string): Promise<void> {
  await db
    .updateTable('transactions')
    .set({ next_at: null })
    .where('id', '=', id)
    .where('state', '=', 'released')
    .execute()
}

/**
 * Stops the sweeper from claiming a sale whose payment intent does not match it, for example in the amount. The sale is
 * then not released at its deadline; a person must examine it.
 */
export async function markMismatched(db: Db, id: string): Promise<void> {
  await db
    .updateTable('transactions')
    .set({ next_at: null, mismatched_at: sql`coalesce(mismatched_at, clock_timestamp())` })
    .where('id', '=', id)
    .execute()
}
