import { databaseTime } from '@marketplace/kit/db.ts'
import { isId } from '@marketplace/kit/ids.ts'
import { missing } from '@marketplace/kit/problem.ts'
import type { Trx } from '../db.ts'
import type { Listing } from '../listing/listing.ts'
import { lockListing } from '../listing/listings.repo.ts'
import { sideOf, type Offer, type OfferSide } from './offer.ts'
import { findOffer, lockOffer } from './offers.repo.ts'

/** Somebody's wish about one of their offers. */
export interface OfferCommand {
  offerId: string
  userId: string
}

export interface LockedOffer {
  listing: Listing
  offer: Offer
  side: OfferSide
  now: Date
}

/** An offer of this person's with its listing: the listing is locked first, and the clock read last. */
export async function lockOwnOffer(trx: Trx, { offerId, userId }: OfferCommand): Promise<LockedOffer> {
  const found = isId(offerId) ? await findOffer(trx, offerId) : undefined
  const side = found && sideOf(found, userId)
  if (!found || !side) throw missing('offer')
  const listing = await lockListing(trx, found.listingId)
  const offer = await lockOffer(trx, offerId)
  if (!listing || !offer) throw missing('offer')
  return { listing, offer, side, now: await databaseTime(trx) }
}
