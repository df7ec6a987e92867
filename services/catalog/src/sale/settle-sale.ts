import { databaseTime } from '@marketplace/kit/db/db.ts'
import type { Trx } from '../db.ts'
import { deactivateListing } from '../listing/deactivate-listing.ts'
import { lockListing } from '../listing/listings.repo.ts'
import { rejectPendingOffers, setOfferStatus } from '../offer/offers.repo.ts'
import { findLiveHold, insertTombstone, lockHold, saveHoldState } from './holds.repo.ts'

export interface SaleRef {
  saleId: string
  listingId: string
}

export interface MarkSoldResult {
  /**
   * False if the payment succeeded although the item was not reserved for the sale. The payments service must refund
   * it.
   */
  isAccepted: boolean
  /** The listing's version before `markSold` was called; 0 if the listing does not exist. */
  version: number
}

/**
 * Marks the item of a paid sale as sold. Repeated calls change nothing, because the payments service reports each
 * payment both by a call and by an event.
 */
export async function markSold(trx: Trx, sale: SaleRef): Promise<MarkSoldResult> {
  const listing = await lockListing(trx, sale.listingId)
  const version = listing?.version ?? 0
  const own = await lockHold(trx, sale.saleId)
  if (own?.kind !== 'hold') return { isAccepted: false, version }
  if (own.state === 'sold') return { isAccepted: true, version }
  const { listingId } = own.terms
  const live = await findLiveHold(trx, listingId)
  if (live && live.saleId !== sale.saleId) return { isAccepted: false, version }
  const now = await databaseTime(trx)
  await saveHoldState(trx, sale.saleId, 'sold')
  // The sale was released before the payment arrived, and the release withdrew the offer. The payment makes the offer
  // accepted again.
  if (own.offer && own.state === 'released') await setOfferStatus(trx, own.offer.id, { status: 'accepted', now })
  await rejectPendingOffers(trx, listingId, now)
  await deactivateListing(trx, listingId)
  return { isAccepted: true, version }
}

/**
 * Makes the item of an unpaid sale available again. If the sale has no hold, a tombstone is stored, so that a later
 * hold request of the sale is rejected.
 */
export async function releaseHold(trx: Trx, sale: SaleRef): Promise<void> {
  await lockListing(trx, sale.listingId)
  const own = await lockHold(trx, sale.saleId)
  if (!own) return insertTombstone(trx, sale.saleId, sale.listingId)
  if (own.kind !== 'hold' || own.state !== 'held') return
  await saveHoldState(trx, sale.saleId, 'released')
  // The buyer did not pay for the accepted offer, so it is withdrawn.
  if (own.offer) await setOfferStatus(trx, own.offer.id, { status: 'withdrawn', now: await databaseTime(trx) })
}
