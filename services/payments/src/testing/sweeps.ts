import { eventually } from '@marketplace/testing/eventually.ts'
import { sql } from 'kysely'
import { statesOf } from './ledger.ts'
import type { Harness } from './harness.ts'

/** Settings that reduce retries and polls to 50 ms. */
export const fastSettings = {
  SWEEP_INTERVAL_MS: 50,
  RETRY_DELAY_MS: 50,
  PAYMENT_POLL_INTERVAL_MS: 50,
  PAYMENT_SLOW_POLL_INTERVAL_MS: 50,
}

const fastSweeper = { SWEEP_INTERVAL_MS: 50, RETRY_DELAY_MS: 50 }

/** Runs another process until the listing's sales are in these states, oldest first. */
export async function sweepUntil(harness: Harness, listingId: string, states: string[]): Promise<void> {
  const sweeper = await harness.start(fastSweeper)
  await waitForStates(harness, listingId, states)
  await harness.close(sweeper)
}

/** Waits until the listing's sales are in these states, oldest first. */
export async function waitForStates(harness: Harness, listingId: string, states: string[]): Promise<void> {
  const expected = JSON.stringify(states)
  await eventually(async () => {
    const now = JSON.stringify(await statesOf(harness, listingId))
    return now === expected || Promise.reject(new Error(`${now} instead of ${expected}`))
  })
}

/** Expires the listing's sales. */
export async function expireSales(harness: Harness, listingId: string): Promise<void> {
  const now = sql<Date>`clock_timestamp()`
  await harness.db
    .updateTable('transactions')
    .set({ expires_at: now, next_at: now })
    .where('listing_id', '=', listingId)
    .where('next_at', 'is not', null)
    .execute()
}

/** Makes the listing's sales due for the sweeper. */
export async function makeDue(harness: Harness, listingId: string): Promise<void> {
  await harness.db
    .updateTable('transactions')
    .set({ next_at: sql<Date>`clock_timestamp()` })
    .where('listing_id', '=', listingId)
    .where('next_at', 'is not', null)
    .execute()
}
