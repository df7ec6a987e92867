import { databaseTime } from '@marketplace/kit/db/db.ts'
import type { Trx } from '../db.ts'
import { changeStatuses } from '../listing/life/change-statuses.ts'
import { release, sell } from '../listing/life/status.ts'
import { lockListings } from '../listing/listings.repo.ts'
import { rejectPendingOffers, setOfferStatuses } from '../offer/offers.repo.ts'
import type { ItemHold } from './hold.ts'
import { findLiveHolds, insertTombstones, lockHolds, saveHoldStates } from './holds.repo.ts'
import { settlePaidSales, type SaleRef } from './settlement.ts'

export interface EndedSale extends SaleRef {
  /** W3C trace context of the event or call that reports the sale's end; by default the current trace. */
  traceparent?: string | null | undefined
}

export interface RejectedSale extends EndedSale {
  /** Current version of the listing; 0 if the listing does not exist. */
  version: number
}

/**
 * Marks the items of paid sales as sold. Returns the rejected sales, which must be refunded because their item was not
 * reserved for them. Must be idempotent, because the payments service reports each payment twice, by a call and by an
 * event.
 */
export async function markSold(trx: Trx, sales: readonly EndedSale[]): Promise<RejectedSale[]> {
  if (sales.length === 0) return []
  const listings = await lockListings(trx, listingIdsOf(sales))
  const own = await lockHolds(trx, saleIdsOf(sales))
  const itemHolds = [...own.values()].filter((hold) => hold.kind === 'hold')
  const live = await findLiveHolds(trx, listingIdsOf(itemHolds.map(({ terms }) => terms)))
  const { sold, rejected } = settlePaidSales(sales, { own, live })
  const versions = new Map(listings.map(({ id, version }) => [id, version]))
  if (sold.length > 0) {
    for (const [id, version] of await saveSold(trx, sold, sales)) versions.set(id, version)
  }
  return rejected.map((sale) => ({ ...sale, version: versions.get(sale.listingId) ?? 0 }))
}

// Returns the new versions of the listings by id.
async function saveSold(trx: Trx, sold: readonly ItemHold[], sales: readonly EndedSale[]) {
  const now = await databaseTime(trx)
  await saveHoldStates(trx, saleIdsOf(sold), 'sold')
  // Offers that were withdrawn when their sale was released are accepted again after a late payment.
  const released = sold.filter(({ state }) => state === 'released')
  await setOfferStatuses(trx, offerIdsOf(released), { status: 'accepted', now })
  const soldListings = listingIdsOf(sold.map(({ terms }) => terms))
  await rejectPendingOffers(trx, soldListings, now)
  const traces = new Map(sales.map(({ saleId, traceparent }) => [saleId, traceparent]))
  return changeStatuses(
    trx,
    sold.map(({ saleId, terms }) => ({
      listingId: terms.listingId,
      change: sell,
      traceparent: traces.get(saleId),
    })),
  )
}

/**
 * Makes the items of unpaid sales available again. For a sale without a hold, stores a tombstone, so that a later hold
 * request for the sale is rejected.
 */
export async function releaseHolds(trx: Trx, sales: readonly EndedSale[]): Promise<void> {
  if (sales.length === 0) return
  await lockListings(trx, listingIdsOf(sales))
  const own = await lockHolds(trx, saleIdsOf(sales))
  await insertTombstones(
    trx,
    sales.filter(({ saleId }) => !own.has(saleId)),
  )
  const held = [...own.values()].filter((hold) => hold.kind === 'hold').filter(({ state }) => state === 'held')
  if (held.length === 0) return
  await saveHoldStates(trx, saleIdsOf(held), 'released')
  // The buyers did not pay for the accepted offers, so the offers are withdrawn.
  await setOfferStatuses(trx, offerIdsOf(held), { status: 'withdrawn', now: await databaseTime(trx) })
  const traces = new Map(sales.map(({ saleId, traceparent }) => [saleId, traceparent]))
  await changeStatuses(
    trx,
    held.map(({ saleId, terms }) => ({
      listingId: terms.listingId,
      change: release,
      traceparent: traces.get(saleId),
    })),
  )
}

function saleIdsOf(sales: readonly { saleId: string }[]): string[] {
  return sales.map(({ saleId }) => saleId)
}

function listingIdsOf(sales: readonly { listingId: string }[]): string[] {
  return sales.map(({ listingId }) => listingId)
}

function offerIdsOf(holds: readonly ItemHold[]): string[] {
  return holds.flatMap(({ offer }) => offer?.id ?? [])
}
