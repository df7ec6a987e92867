import { conflict } from '@marketplace/kit/problem.ts'
import type { Trx } from '../db.ts'
import { endListing } from '../listing/end-listing.ts'
import { lockListing } from '../listing/listings.repo.ts'
import { findLiveHold, insertTombstone, lockHold, saveHoldState } from './holds.repo.ts'

/** The item is paid: it stays with this sale for good. Told again, by call or event, it changes nothing. */
export async function markSold(trx: Trx, sale: { saleId: string; listingId: string }): Promise<void> {
  await lockListing(trx, sale.listingId)
  const own = await lockHold(trx, sale.saleId)
  // Payments asks for the hold before it takes money. Should it be missing all the same, the event is parked with an alarm.
  if (own?.kind !== 'hold') throw conflict('no_hold', `Sale ${sale.saleId} is paid but has no hold.`)
  if (own.state === 'sold') return
  const live = await findLiveHold(trx, own.terms.listingId)
  if (live && live.saleId !== sale.saleId) throw conflict('no_hold', `Sale ${sale.saleId} is paid but lost its hold.`)
  await saveHoldState(trx, sale.saleId, 'sold')
  await endListing(trx, own.terms.listingId)
}

/** The sale ended without payment: the item is free again. A sale that was never held here gets no hold later. */
export async function release(trx: Trx, sale: { saleId: string; listingId: string }): Promise<void> {
  await lockListing(trx, sale.listingId)
  const own = await lockHold(trx, sale.saleId)
  if (!own) await insertTombstone(trx, sale.saleId, sale.listingId)
  else if (own.kind === 'hold' && own.state === 'held') await saveHoldState(trx, sale.saleId, 'released')
}
