import { databaseTime } from '@marketplace/kit/db.ts'
import { newId } from '@marketplace/kit/ids.ts'
import { missing } from '@marketplace/kit/problem.ts'
import type { Context } from '../context.ts'
import type { Trx } from '../db.ts'
import { lockListing } from '../listing/listings.repo.ts'
import { makeOffer as newOffer, requireOfferable, type Offer, type OfferDraft } from './offer.ts'
import { insertOffer, withdrawPending } from './offers.repo.ts'

export interface OfferAsk {
  listingId: string
  buyerId: string
  draft: OfferDraft
}

/** A buyer's offer takes the place of the one that is open on this listing, whoever made that. */
export async function makeOffer(
  { settings }: Context,
  trx: Trx,
  { listingId, buyerId, draft }: OfferAsk,
): Promise<Offer> {
  const listing = await lockListing(trx, listingId)
  if (!listing) throw missing('listing')
  requireOfferable(listing, buyerId)
  const now = await databaseTime(trx)
  const offer = newOffer(listing, draft, { id: newId(), buyerId, madeBy: 'buyer', ttlMs: settings.OFFER_TTL_MS, now })
  await withdrawPending(trx, listingId, buyerId, now)
  await insertOffer(trx, offer)
  return offer
}
