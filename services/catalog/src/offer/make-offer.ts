import { databaseTime } from '@marketplace/kit/db/db.ts'
import { newId } from '@marketplace/kit/values/ids.ts'
import { missing } from '@marketplace/kit/errors/problem.ts'
import { isBlocked, lockPairs } from '../block/blocks.repo.ts'
import type { Context } from '../context.ts'
import type { Trx } from '../db.ts'
import { listingChangedError } from '../listing/life/life-errors.ts'
import { findSellerId, lockListing } from '../listing/listings.repo.ts'
import { requireOfferQuota } from './offer-quota.ts'
import { createOffer, requireOfferable, type Offer, type OfferDraft } from './offer.ts'
import { insertOffer, withdrawPending } from './offers.repo.ts'

export interface OfferRequest {
  listingId: string
  buyerId: string
  /** The terms version that the buyer saw; null if it is unknown. */
  listingVersion: number | null
  draft: OfferDraft
}

/**
 * Makes a buyer's offer on a listing, and withdraws any pending offer or counter-offer between the two users on this
 * listing. Throws `seller_unavailable` (403) if the seller has blocked the buyer.
 */
export async function makeOffer(
  { settings }: Context,
  trx: Trx,
  { listingId, buyerId, listingVersion, draft }: OfferRequest,
): Promise<Offer> {
  const sellerId = await findSellerId(trx, listingId)
  if (sellerId === undefined) throw missing('listing')
  await lockPairs(trx, [[buyerId, sellerId]])
  const listing = await lockListing(trx, listingId)
  if (!listing) throw missing('listing')
  requireOfferable(listing, { buyerId, isBlocked: await isBlocked(trx, sellerId, buyerId) })
  if (listingVersion !== null && listingVersion !== listing.termsVersion) throw listingChangedError()
  const now = await databaseTime(trx)
  const offer = createOffer(listing, draft, {
    id: newId(),
    buyerId,
    madeBy: 'buyer',
    ttlMs: settings.OFFER_TTL_MS,
    now,
  })
  await withdrawPending(trx, listingId, buyerId, now)
  await requireOfferQuota(trx, buyerId, settings.MAX_PENDING_OFFERS)
  await insertOffer(trx, offer)
  return offer
}
