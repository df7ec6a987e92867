import { sql } from 'kysely'
import type { Trx } from '../../db.ts'
import type { CheckoutUsage } from './checkout-limits.ts'

/**
 * Takes the lock on a buyer's checkouts until the transaction ends, so that the buyer cannot exceed the limits with
 * concurrent requests.
 */
export async function lockCheckouts(trx: Trx, buyerId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('payments.checkouts:' || ${buyerId}, 0))`.execute(trx)
}

/**
 * Counts a buyer's open `buy_now` sales, and those that expired unpaid in the last `windowMs`. Sales that were released
 * before their deadline do not count as expired.
 */
export async function readCheckoutUsage(trx: Trx, buyerId: string, windowMs: number): Promise<CheckoutUsage> {
  const { rows } = await sql<CheckoutUsage>`
    select (
      select count(*) from transactions
      where buyer_id = ${buyerId} and transaction_type = 'buy_now' and state in ('new', 'held', 'payable', 'releasing')
    ) as open,
    count(*) as expired,
    (extract(epoch from clock_timestamp() - max(expires_at)) * 1000)::float8 as "sinceExpiryMs"
    from transactions
    where buyer_id = ${buyerId} and transaction_type = 'buy_now' and state = 'released' and reason = 'expired'
      and sale_price is not null and expires_at <= updated_at
      and expires_at > statement_timestamp() - ${windowMs} * interval '1 millisecond'`.execute(trx)
  const [usage] = rows
  if (!usage) throw new Error('The usage query returned no row.')
  return usage
}
