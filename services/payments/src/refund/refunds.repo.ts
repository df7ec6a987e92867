import { newId } from '@marketplace/kit/values/ids.ts'
import { sql } from 'kysely'
import type { Trx } from '../db.ts'
import type { Refund, RefundOrigin, RefundState } from './refund.ts'

/** Returns the refunds of a sale. The caller must hold the lock on the sale. */
export async function listRefunds(trx: Trx, saleId: string): Promise<Refund[]> {
  const rows = await trx.selectFrom('refunds').selectAll().where('sale_id', '=', saleId).orderBy('id').execute()
  return rows.map((row) => ({
    id: row.id,
    amount: row.amount_cents,
    state: row.state,
    providerId: row.provider_id,
    isStuck: row.stuck_at !== null && (row.state === 'owed' || row.state === 'pending'),
    attemptsAllowed: row.attempts_allowed,
  }))
}

export interface NewRefund {
  saleId: string
  amount: number
  origin: RefundOrigin
  state: RefundState
  providerId: string | null
}

/** Inserts a refund and returns its id. */
export async function insertRefund(
  trx: Trx,
  { saleId, amount, origin, state, providerId }: NewRefund,
): Promise<string> {
  const id = newId()
  await declareChargebacksCounted(trx)
  await trx
    .insertInto('refunds')
    .values({ id, sale_id: saleId, amount_cents: amount, origin, state, provider_id: providerId })
    .execute()
  return id
}

export async function updateRefund(
  trx: Trx,
  id: string,
  change: { state: RefundState; providerId: string | null; amount?: number },
): Promise<void> {
  await declareChargebacksCounted(trx)
  await trx
    .updateTable('refunds')
    .set({ state: change.state, provider_id: change.providerId, updated_at: sql`clock_timestamp()` })
    .$if(change.amount !== undefined, (update) => update.set({ amount_cents: change.amount ?? 0 }))
    .where('id', '=', id)
    .execute()
}

/** Sets the flag that the trigger `refunds_count_chargebacks` requires for refunds of sales with a lost dispute. */
export async function declareChargebacksCounted(trx: Trx): Promise<void> {
  await sql`select set_config('payments.counts_chargebacks', 'on', true)`.execute(trx)
}

/**
 * Updates the sale's refunded amount to the sum of its refunds, without refunds in state `dropped`, which will not be
 * made.
 */
export async function updateRefundedAmount(trx: Trx, saleId: string): Promise<void> {
  await sql`
    update transactions set refunded_cents = (
      select coalesce(sum(amount_cents), 0) from refunds where sale_id = ${saleId} and state <> 'dropped'
    ) where id = ${saleId}`.execute(trx)
}
