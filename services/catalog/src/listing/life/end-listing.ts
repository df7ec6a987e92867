import { databaseTime } from '@marketplace/kit/db/db.ts'
import { publish } from '@marketplace/kit/events/outbox.ts'
import type { Trx } from '../../db.ts'
import { rejectPendingOffers } from '../../offer/offers.repo.ts'
import type { Listing } from '../listing.ts'
import { listingChanged } from '../listings.events.ts'
import { saveStatuses } from '../listings.repo.ts'
import { lockOwnListing, requireFree, type ListingCommand } from './lock-own-listing.ts'
import { endBySeller } from './status.ts'

/**
 * Ends a listing and rejects its pending offers. If the listing has already ended, returns it unchanged. Throws
 * `missing` (404), `not_owner` (403), or a conflict (409): `wrong_kind`, `sold` or `reserved`.
 */
export async function endListing(trx: Trx, command: ListingCommand): Promise<Listing> {
  const listing = await lockOwnListing(trx, command)
  await requireFree(trx, listing)
  if (!listing.isActive) return listing
  const now = await databaseTime(trx)
  const ended = endBySeller(listing, now)
  await saveStatuses(trx, [ended])
  await rejectPendingOffers(trx, [listing.id], now)
  await publish(trx, listingChanged(ended))
  return ended
}
