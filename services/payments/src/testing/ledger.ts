import { sql } from 'kysely'
import type { Stand } from './stand.ts'

/** All entries of a listing's sales, as `kind account amount`. */
export async function ledgerOf(stand: Stand, listingId: string): Promise<string[]> {
  const { rows } = await sql<{ entry: string }>`
    select concat_ws(' ', journals.kind, account, entries.amount) as entry
    from entries join journals on journals.id = journal_id join transactions on transactions.id = sale_id
    where listing_id = ${listingId} order by journals.id, line`.execute(stand.db)
  return rows.map((row) => row.entry)
}

/** What is due to a sale's buyer from its late or refused payment on, and what was given back. */
export const lateCaptured = ['late_capture provider 2549', 'late_capture refund:due -2549']
export const owed = [
  'refund_owed seller 2449',
  'refund_owed seller -100',
  'refund_owed fee:buyer 100',
  'refund_owed fee:seller 100',
  'refund_owed refund:due -2549',
]
export const givenBack = ['refund_paid provider -2549', 'refund_paid refund:due 2549']

/** The states of a listing's sales, oldest first. */
export async function statesOf(stand: Stand, listingId: string): Promise<string[]> {
  const rows = await stand.db
    .selectFrom('transactions')
    .select('state')
    .where('listing_id', '=', listingId)
    .orderBy('id')
    .execute()
  return rows.map((row) => row.state)
}

/** Names of the events stored for a listing, oldest first. */
export async function eventsOf(stand: Stand, listingId: string): Promise<string[]> {
  const { rows } = await sql<{ type: string }>`
    select type from outbox where key = ${listingId} order by seq`.execute(stand.db)
  return rows.map((row) => row.type.replace('marketplace.payments.v1.', ''))
}

export const captured = [
  'capture provider 2549',
  'capture seller -2449',
  'capture seller 100',
  'capture fee:buyer -100',
  'capture fee:seller -100',
]

/** What the provider gave back of an intent, as `status amount`. */
export async function refundsOf(stand: Stand, { payment_intent_id }: { payment_intent_id: string }): Promise<string[]> {
  const { data } = await stand.cards.stripe.refunds.list({ payment_intent: payment_intent_id })
  return data.map(({ amount, status }) => `${status} ${amount}`)
}
