import { eventually } from '@marketplace/testing/eventually.ts'
import { sql } from 'kysely'
import { statesOf } from './ledger.ts'
import type { Stand } from './stand.ts'

/** Settings under which all that is waited for comes at once. */
export const quick = { SWEEP_EVERY_MS: 50, RETRY_MS: 50, PAYABLE_POLL_MS: 50, PAYABLE_SLOW_POLL_MS: 50 }

const soon = { SWEEP_EVERY_MS: 50, RETRY_MS: 50 }

/** Runs another process until the listing's sales are in these states, oldest first. */
export async function sweepUntil(stand: Stand, listingId: string, states: string[]): Promise<void> {
  const sweeper = await stand.start(soon)
  await becomes(stand, listingId, states)
  await stand.close(sweeper)
}

/** Waits until the listing's sales are in these states, oldest first. */
export async function becomes(stand: Stand, listingId: string, states: string[]): Promise<void> {
  const expected = JSON.stringify(states)
  await eventually(async () => {
    const now = JSON.stringify(await statesOf(stand, listingId))
    return now === expected || Promise.reject(new Error(`${now} instead of ${expected}`))
  })
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
