import { databaseTime } from '@marketplace/kit/db/db.ts'
import { publish } from '@marketplace/kit/events/outbox.ts'
import type { Trx } from '../db.ts'
import { deactivate } from './listing.ts'
import { listingChanged } from './listings.events.ts'
import { lockListing, saveListing } from './listings.repo.ts'

/**
 * Makes a listing inactive and publishes the change. Does nothing if the listing is already inactive or not stored yet.
 */
export async function deactivateListing(trx: Trx, listingId: string): Promise<void> {
  const listing = await lockListing(trx, listingId)
  if (!listing?.isActive) return
  const inactive = deactivate(listing, await databaseTime(trx))
  await saveListing(trx, inactive)
  await publish(trx, listingChanged(inactive))
}
