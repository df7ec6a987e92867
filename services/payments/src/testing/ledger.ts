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

/** Lets the time of a listing's sales pass. */
export async function lapse(stand: Stand, listingId: string): Promise<void> {
  const now = sql<Date>`clock_timestamp()`
  await stand.db
    .updateTable('transactions')
    .set({ expires_at: now, next_at: now })
    .where('listing_id', '=', listingId)
    .where('next_at', 'is not', null)
    .execute()
}

/** Makes it the sweeper's turn to look at a listing's sales. */
export async function makeDue(stand: Stand, listingId: string): Promise<void> {
  await stand.db
    .updateTable('transactions')
    .set({ next_at: sql<Date>`clock_timestamp()` })
    .where('listing_id', '=', listingId)
    .where('next_at', 'is not', null)
    .execute()
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
