import { databaseTime } from '@marketplace/kit/db/db.ts'
import { publishAll } from '@marketplace/kit/events/outbox.ts'
import type { Trx } from '../../db.ts'
import { listingChanged } from '../listings.events.ts'
import { lockListings, saveStatuses } from '../listings.repo.ts'
import type { StatusChange } from './status.ts'

export interface ListingStatusChange {
  listingId: string
  change: StatusChange
  /** W3C trace context of the published change; by default the current trace. */
  traceparent?: string | null | undefined
}

/**
 * Applies status changes to listings, in order, and publishes the changed listings. Skips listings that are not stored
 * yet and changes that do not apply. Returns the new versions of the changed listings, by listing id.
 */
export async function changeStatuses(
  trx: Trx,
  changes: readonly ListingStatusChange[],
): Promise<ReadonlyMap<string, number>> {
  const listings = new Map(
    (
      await lockListings(
        trx,
        changes.map(({ listingId }) => listingId),
      )
    ).map((listing) => [listing.id, listing]),
  )
  if (listings.size === 0) return new Map()
  const now = await databaseTime(trx)
  const events = changes.flatMap(({ listingId, change, traceparent }) => {
    const listing = listings.get(listingId)
    const next = listing && change(listing, now)
    if (!next) return []
    listings.set(listingId, next)
    return { ...listingChanged(next), traceparent: traceparent ?? undefined }
  })
  if (events.length === 0) return new Map()
  const versions = new Map(events.map(({ key, version }) => [key, version]))
  await saveStatuses(
    trx,
    [...listings.values()].filter(({ id }) => versions.has(id)),
  )
  await publishAll(trx, events)
  return versions
}
