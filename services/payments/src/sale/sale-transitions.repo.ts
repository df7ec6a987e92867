import { sql, type UpdateObject } from 'kysely'
import type { Db, PaymentsTables, Trx } from '../db.ts'
import type { ReleaseReason, Sale, TermsWithFees } from './sale.ts'
import { recheckDelaysMs } from '../refund/recheck-delays.ts'
import { after, isExpired, termColumns, toSale } from './sale-row.repo.ts'

type Change = UpdateObject<PaymentsTables, 'transactions'>

// Applies a transition if the sale in the database still has the state and the intent of `sale`. Returns undefined if a
// concurrent transition has changed one of them. The state alone is not enough, because a sale whose intent was
// cancelled can be `payable` again with another intent.
async function transition(db: Db | Trx, sale: Sale, change: Change): Promise<Sale | undefined> {
  const row = await db
    .updateTable('transactions')
    .set({ ...change, version: sql`version + 1`, updated_at: sql`clock_timestamp()` })
    .where('id', '=', sale.id)
    .where('state', '=', sale.state)
    .where('intent_id', 'is not distinct from', sale.intentId)
    .returningAll()
    .returning(isExpired)
    .executeTakeFirst()
  return row && toSale(row)
}

export function markHeld(db: Db, sale: Sale, terms: TermsWithFees, checkoutMs: number): Promise<Sale | undefined> {
  const expiry = after(checkoutMs)
  return transition(db, sale, { state: 'held', ...termColumns(terms), expires_at: expiry, next_at: expiry })
}

/**
 * Stores the intent of a held sale. Keeps the number of failed attempts, because the sale might need another intent,
 * and the keys of the earlier ones must not be used again.
 */
export function markPayable(db: Db, sale: Sale, intentId: string, pollMs: number): Promise<Sale | undefined> {
  return transition(db, sale, { state: 'payable', intent_id: intentId, ...requestedNow(pollMs) })
}

/**
 * Returns a payable sale to `held`, because the provider has cancelled its intent. Counts a failed attempt, so that the
 * next intent gets a new idempotency key.
 */
export function clearIntent(db: Db, sale: Sale): Promise<Sale | undefined> {
  const deadline = sql<Date>`expires_at`
  return transition(db, sale, { state: 'held', intent_id: null, faults: sale.failedAttempts + 1, next_at: deadline })
}

/**
 * Counts a provider error of the sale, so that the next call uses a new idempotency key. If `retryMs` is given, the
 * sweeper retries the sale after this time.
 */
export async function recordProviderError(
  db: Db,
  { id, state, failedAttempts }: Sale,
  retryMs?: number,
): Promise<void> {
  await db
    .updateTable('transactions')
    .set({ faults: failedAttempts + 1, updated_at: sql`clock_timestamp()` })
    .$if(retryMs !== undefined, (update) => update.set({ next_at: after(retryMs ?? 0) }))
    .where('id', '=', id)
    .where('state', '=', state)
    .where('faults', '=', failedAttempts)
    .execute()
}

/** Sets the deadline of a sale to now, so that the sweeper ends the sale for this reason. */
export function expireNow(trx: Trx, sale: Sale, reason: ReleaseReason): Promise<Sale | undefined> {
  const now = sql<Date>`clock_timestamp()`
  return transition(trx, sale, { reason, expires_at: now, next_at: now })
}

/**
 * Records the time of the buyer's latest request for the payment intent, and schedules the next poll of the intent
 * after `pollMs`.
 */
export function recordIntentRequest(db: Db, sale: Sale, pollMs: number): Promise<Sale | undefined> {
  return transition(db, sale, requestedNow(pollMs))
}

export function markReleasing(
  db: Db | Trx,
  sale: Sale,
  { reason, retryMs }: { reason: ReleaseReason; retryMs: number },
): Promise<Sale | undefined> {
  return transition(db, sale, { state: 'releasing', reason, next_at: after(retryMs) })
}

/** Schedules a retry and increments the row's version, which is part of the idempotency key of a cancellation. */
export function postpone(db: Db, sale: Sale, retryMs: number): Promise<Sale | undefined> {
  return transition(db, sale, { next_at: after(retryMs) })
}

/**
 * Marks a sale as released. If the sale has an intent, a last check is scheduled, because the provider might have
 * charged the buyer without sending a webhook.
 */
export function markReleased(
  trx: Trx,
  sale: Sale,
  { reason, recheckDelayMs }: { reason: ReleaseReason; recheckDelayMs: number },
): Promise<Sale | undefined> {
  return transition(trx, sale, {
    state: 'released',
    reason,
    next_at: sale.intentId === null ? null : after(recheckDelayMs),
  })
}

export function markPaid(trx: Trx, sale: Sale, paymentMethod: string | null): Promise<Sale | undefined> {
  return transition(trx, sale, {
    state: 'paid',
    payment_method: paymentMethod,
    reason: null,
    faults: 0,
    next_at: null,
    recheck_at: after(recheckDelaysMs[0]),
  })
}

/**
 * Marks a sale as refunding. A refunded sale keeps its number of provider errors, because the keys of its earlier
 * refunds contain that number and must not be used again. For a released sale, which was not charged until now, the
 * rechecks of its charge begin.
 */
export function markRefunding(
  trx: Trx,
  sale: Sale,
  { paymentMethod, retryMs }: { paymentMethod: string | null; retryMs: number },
): Promise<Sale | undefined> {
  return transition(trx, sale, {
    state: 'refunding',
    payment_method: paymentMethod,
    ...(sale.state === 'refunded' ? {} : { faults: 0 }),
    ...(sale.state === 'released' ? { recheck_at: after(recheckDelaysMs[0]) } : {}),
    next_at: after(retryMs),
  })
}

export function markRefunded(trx: Trx, sale: Sale): Promise<Sale | undefined> {
  return transition(trx, sale, { state: 'refunded', next_at: null })
}

function requestedNow(pollMs: number): Change {
  return {
    asked_at: sql`clock_timestamp()`,
    next_at: sql`least(expires_at, ${after(pollMs)})`,
  }
}
