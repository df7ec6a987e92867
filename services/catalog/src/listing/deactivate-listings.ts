import { databaseTime } from '@marketplace/kit/db/db.ts'
import { publishAll } from '@marketplace/kit/events/outbox.ts'
import type { Trx } from '../db.ts'
import { deactivate } from './listing.ts'
import { listingChanged } from './listings.events.ts'
import { lockListings, saveListings } from './listings.repo.ts'

export interface Deactivation {
  listingId: string
  /** W3C trace context of the published change; by default the current trace. */
  traceparent?: string | null | undefined
}

/**
 * Makes listings inactive and publishes the changes. Skips listings that are already inactive or not stored yet.
 * Returns the new versions of the changed listings, by listing id.
 */
export async function deactivateListings(
  trx: Trx,
  deactivations: readonly Deactivation[],
): Promise<ReadonlyMap<string, number>> {
  const listings = await lockListings(
    trx,
    deactivations.map(({ listingId }) => listingId),
  )
  const active = listings.filter(({ isActive }) => isActive)
  if (active.length === 0) return new Map()
  const now = await databaseTime(trx)
  const inactive = active.map((listing) => deactivate(listing, now))
  await saveListings(trx, inactive)
  const traces = new Map(deactivations.toReversed().map(({ listingId, traceparent }) => [listingId, traceparent]))
  await publishAll(
    trx,
    inactive.map((listing) => ({ ...listingChanged(listing), traceparent: traces.get(listing.id) ?? undefined })),
  )
  return new Map(inactive.map(({ id, version }) => [id, version]))
}
