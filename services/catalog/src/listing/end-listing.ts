import { databaseTime } from '@marketplace/kit/db.ts'
import { publish } from '@marketplace/kit/outbox.ts'
import type { Trx } from '../db.ts'
import { deactivate } from './listing.ts'
import { listingChanged } from './listings.events.ts'
import { lockListing, saveListing } from './listings.repo.ts'

/** Takes a listing off the market; one that is off already, or not yet here, stays as it is. */
export async function endListing(trx: Trx, listingId: string): Promise<void> {
  const listing = await lockListing(trx, listingId)
  if (!listing?.isActive) return
  const ended = deactivate(listing, await databaseTime(trx))
  await saveListing(trx, ended)
  await publish(trx, listingChanged(ended))
}
