import { databaseTime } from '@marketplace/kit/db.ts'
import type { Trx } from '../db.ts'
import { endListing } from '../listing/end-listing.ts'
import { lockListing } from '../listing/listings.repo.ts'
import { closePendingOffers, moveOffer } from '../offer/offers.repo.ts'
import { findLiveHold, insertTombstone, lockHold, saveHoldState } from './holds.repo.ts'

export interface SettledSale {
  saleId: string
  listingId: string
}

export interface Sold {
  /** False when money was taken for what this sale does not have. */
  isTaken: boolean
  /** The listing's version; 0 without a listing. */
  version: number
}

/** The item is paid: it stays with this sale for good. Told again, by call or event, it changes nothing. */
export async function markSold(trx: Trx, sale: SettledSale): Promise<Sold> {
  const listing = await lockListing(trx, sale.listingId)
  const version = listing?.version ?? 0
  const own = await lockHold(trx, sale.saleId)
  if (own?.kind !== 'hold') return { isTaken: false, version }
  if (own.state === 'sold') return { isTaken: true, version }
  const { listingId } = own.terms
  const live = await findLiveHold(trx, listingId)
  if (live && live.saleId !== sale.saleId) return { isTaken: false, version }
  const now = await databaseTime(trx)
  await saveHoldState(trx, sale.saleId, 'sold')
  // Its release was told before.
  if (own.offer && own.state === 'released') await moveOffer(trx, own.offer.id, { to: 'accepted', now })
  await closePendingOffers(trx, listingId, now)
  await endListing(trx, listingId)
  return { isTaken: true, version }
}

/** The sale ended without payment: the item is free again. A sale that was never held here gets no hold later. */
export async function release(trx: Trx, sale: SettledSale): Promise<void> {
  await lockListing(trx, sale.listingId)
  const own = await lockHold(trx, sale.saleId)
  if (!own) return insertTombstone(trx, sale.saleId, sale.listingId)
  if (own.kind !== 'hold' || own.state !== 'held') return
  await saveHoldState(trx, sale.saleId, 'released')
  // An accepted offer that was not paid is over with its sale.
  if (own.offer) await moveOffer(trx, own.offer.id, { to: 'withdrawn', now: await databaseTime(trx) })
}
