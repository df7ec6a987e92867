import { sql, type UpdateObject } from 'kysely'
import type { Db, PaymentsTables, Trx } from '../db.ts'
import type { ReleaseReason, Sale, Terms } from './sale.ts'
import { after, isDue, termColumns, toSale } from './sale-row.repo.ts'

type Change = UpdateObject<PaymentsTables, 'transactions'>

// The guard of every move: the state must still be what was read. Undefined when somebody else moved the sale first.
async function move(db: Db | Trx, sale: Sale, change: Change): Promise<Sale | undefined> {
  const row = await db
    .updateTable('transactions')
    .set({ ...change, version: sql`version + 1`, updated_at: sql`clock_timestamp()` })
    .where('id', '=', sale.id)
    .where('state', '=', sale.state)
    .returningAll()
    .returning(isDue)
    .executeTakeFirst()
  return row && toSale(row)
}

export function markHeld(db: Db, sale: Sale, terms: Terms, checkoutMs: number): Promise<Sale | undefined> {
  const expiry = after(checkoutMs)
  return move(db, sale, { state: 'held', ...termColumns(terms), expires_at: expiry, next_at: expiry })
}

export function markPayable(db: Db, sale: Sale, intentId: string, pollMs: number): Promise<Sale | undefined> {
  return move(db, sale, { state: 'payable', intent_id: intentId, faults: 0, ...askedNow(pollMs) })
}

/** Notes a fault that the provider repeats to its key, once, whoever met it; `retryMs` when the sweeper is to try again. */
export async function markFault(db: Db, { id, state, faults }: Sale, retryMs?: number): Promise<void> {
  await db
    .updateTable('transactions')
    .set({ faults: faults + 1, updated_at: sql`clock_timestamp()` })
    .$if(retryMs !== undefined, (update) => update.set({ next_at: after(retryMs ?? 0) }))
    .where('id', '=', id)
    .where('state', '=', state)
    .where('faults', '=', faults)
    .execute()
}

/** Ends the time of a sale, which the sweeper then ends. */
export function markDue(trx: Trx, sale: Sale): Promise<Sale | undefined> {
  const now = sql<Date>`clock_timestamp()`
  return move(trx, sale, { expires_at: now, next_at: now })
}

/** Notes that the buyer asked for the open intent once more. */
export function markAsked(db: Db, sale: Sale, pollMs: number): Promise<Sale | undefined> {
  return move(db, sale, askedNow(pollMs))
}

export function markReleasing(
  db: Db | Trx,
  sale: Sale,
  { reason, retryMs }: { reason: ReleaseReason; retryMs: number },
): Promise<Sale | undefined> {
  return move(db, sale, { state: 'releasing', reason, next_at: after(retryMs) })
}

/** Keeps a sale in its state for another try; its new version makes the next cancellation a new question. */
export function postpone(db: Db, sale: Sale, retryMs: number): Promise<Sale | undefined> {
  return move(db, sale, { next_at: after(retryMs) })
}

/** With an intent the provider is asked once more later, in case it took the money all the same and told nobody. */
export function markReleased(
  trx: Trx,
  sale: Sale,
  { reason, lookMs }: { reason: ReleaseReason; lookMs: number },
): Promise<Sale | undefined> {
  return move(trx, sale, { state: 'released', reason, next_at: sale.intentId === null ? null : after(lookMs) })
}

export function markPaid(trx: Trx, sale: Sale, paymentMethod: string | null): Promise<Sale | undefined> {
  return move(trx, sale, { state: 'paid', payment_method: paymentMethod, reason: null, next_at: null })
}

export function markRefunding(
  trx: Trx,
  sale: Sale,
  { paymentMethod, retryMs }: { paymentMethod: string | null; retryMs: number },
): Promise<Sale | undefined> {
  return move(trx, sale, { state: 'refunding', payment_method: paymentMethod, faults: 0, next_at: after(retryMs) })
}

export function markRefunded(trx: Trx, sale: Sale): Promise<Sale | undefined> {
  return move(trx, sale, { state: 'refunded', next_at: null })
}

function askedNow(pollMs: number): Change {
  return {
    asked_at: sql`clock_timestamp()`,
    next_at: sql`least(expires_at, ${after(pollMs)})`,
  }
}
