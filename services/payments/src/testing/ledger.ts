import { sql } from 'kysely'
import type { Stripe } from 'stripe'
import type { Harness } from './harness.ts'

/** Returns all ledger entries of a listing's sales as `kind account amount`. */
export async function ledgerOf(harness: Harness, listingId: string): Promise<string[]> {
  const { rows } = await sql<{ entry: string }>`
    select concat_ws(' ', journals.kind, account, entries.amount) as entry
    from entries join journals on journals.id = journal_id join transactions on transactions.id = sale_id
    where listing_id = ${listingId} order by journals.id, line`.execute(harness.db)
  return rows.map((row) => row.entry)
}

/** Ledger entries of a payment of 2549 cents that arrived after the release of the sale. */
export const lateCaptureEntries = ['late_capture provider 2549', 'late_capture refund:due -2549']
export const refundOwedEntries = [
  'refund_owed seller 2449',
  'refund_owed seller -100',
  'refund_owed fee:buyer 100',
  'refund_owed fee:seller 100',
  'refund_owed refund:due -2549',
]
export const refundPaidEntries = ['refund_paid provider -2549', 'refund_paid refund:due 2549']

/** Returns the states of a listing's sales, oldest first. */
export async function statesOf(harness: Harness, listingId: string): Promise<string[]> {
  const rows = await harness.db
    .selectFrom('transactions')
    .select('state')
    .where('listing_id', '=', listingId)
    .orderBy('id')
    .execute()
  return rows.map((row) => row.state)
}

/** Returns the provider's intents of a listing's sales, including orphaned ones, as `id status`, newest first. */
export async function intentsOf({ cards, db }: Harness, listingId: string): Promise<string[]> {
  const sales = await db.selectFrom('transactions').select('id').where('listing_id', '=', listingId).execute()
  const { data } = await cards.stripe.paymentIntents.list({ limit: 100 } satisfies Stripe.PaymentIntentListParams)
  const ours = data.filter(({ metadata }) => sales.some(({ id }) => id === metadata['sale']))
  return ours.map(({ id, status }) => `${id} ${status}`)
}

/** Returns the names of a listing's events in the outbox, oldest first. */
export async function eventsOf(harness: Harness, listingId: string): Promise<string[]> {
  const { rows } = await sql<{ type: string }>`
    select type from outbox where key = ${listingId} order by seq`.execute(harness.db)
  return rows.map((row) => row.type.replace('marketplace.payments.v1.', ''))
}

export const captureEntries = [
  'capture provider 2549',
  'capture seller -2449',
  'capture seller 100',
  'capture fee:buyer -100',
  'capture fee:seller -100',
]

/** Returns the provider's refunds of an intent as `status amount`. */
export async function refundsOf(
  harness: Harness,
  { payment_intent_id }: { payment_intent_id: string },
): Promise<string[]> {
  const { data } = await harness.cards.stripe.refunds.list({
    payment_intent: payment_intent_id,
  } satisfies Stripe.RefundListParams)
  return data.map(({ amount, status }) => `${status} ${amount}`)
}
