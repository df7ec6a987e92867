import { databaseTime } from '@marketplace/kit/db/db.ts'
import { isId } from '@marketplace/kit/values/ids.ts'
import { missing } from '@marketplace/kit/errors/problem.ts'
import type { Trx } from '../db.ts'
import { lockPairs } from '../block/blocks.repo.ts'
import type { Listing } from '../listing/listing.ts'
import { lockListing } from '../listing/listings.repo.ts'
import { sideOf, type Offer, type OfferSide } from './offer.ts'
import { findOffer, lockOffer } from './offers.repo.ts'

/** The offer to change and the user who changes it. */
export interface OfferCommand {
  offerId: string
  userId: string
}

export interface LockedOffer {
  listing: Listing
  offer: Offer
  side: OfferSide
  /** The database's time, read after the listing and the offer were locked. */
  now: Date
}

/**
 * Locks an offer, its listing and the buyer-seller pair. While the pair is locked, neither user can add the other to
 * their block list. Throws `missing` (404) if the user is neither the buyer nor the seller.
 */
export async function lockOwnOffer(trx: Trx, { offerId, userId }: OfferCommand): Promise<LockedOffer> {
  const found = isId(offerId) ? await findOffer(trx, offerId) : undefined
  const side = found && sideOf(found, userId)
  if (!found || !side) throw missing('offer')
  await lockPairs(trx, [[found.buyerId, found.sellerId]])
  const listing = await lockListing(trx, found.listingId)
  const offer = await lockOffer(trx, offerId)
  if (!listing || !offer) throw missing('offer')
  return { listing, offer, side, now: await databaseTime(trx) }
}
