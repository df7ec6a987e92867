import { missing } from '@marketplace/kit/errors/problem.ts'
import { isId } from '@marketplace/kit/values/ids.ts'
import type { Trx } from '../../db.ts'
import { findLiveHold } from '../../sale/holds.repo.ts'
import type { Listing } from '../listing.ts'
import { lockListing } from '../listings.repo.ts'
import { notOwner, reservedError, soldError, wrongKindError } from './life-errors.ts'

/** The listing to change and the user who changes it. */
export interface ListingCommand {
  listingId: string
  userId: string
}

/**
 * Locks a fixed-price listing for a change by its seller. Throws `missing` (404), `not_owner` (403) for any other user,
 * or `wrong_kind` (409) for an auction.
 */
export async function lockOwnListing(trx: Trx, { listingId, userId }: ListingCommand): Promise<Listing> {
  const listing = isId(listingId) ? await lockListing(trx, listingId) : undefined
  if (!listing) throw missing('listing')
  if (listing.sellerId !== userId) throw notOwner()
  if (listing.isAuction) throw wrongKindError()
  return listing
}

/**
 * Throws `sold` or `reserved` (409) if the item is sold or held for a buyer. The caller must have locked the listing.
 */
export async function requireFree(trx: Trx, listing: Listing): Promise<void> {
  if (listing.status === 'sold') throw soldError()
  const hold = await findLiveHold(trx, listing.id)
  if (hold) throw hold.state === 'sold' ? soldError() : reservedError()
}
