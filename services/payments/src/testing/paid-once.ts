import { expect } from 'vitest'
import { captured, eventsOf, ledgerOf } from './ledger.ts'
import type { Stand } from './stand.ts'
import { becomes } from './time.ts'

/** Waits until a listing's one sale is paid, and holds books and events to a single payment. */
export async function expectPaidOnce(stand: Stand, listingId: string): Promise<void> {
  await becomes(stand, listingId, ['paid'])
  expect(await ledgerOf(stand, listingId)).toEqual(captured)
  expect(await eventsOf(stand, listingId)).toEqual(['PaymentSucceeded'])
}
