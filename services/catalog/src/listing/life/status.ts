import type { Listing } from '../listing.ts'

/** Returns the changed listing, or null if the change does not apply to it. */
export type StatusChange = (listing: Listing, now: Date) => Listing | null

/** Returns a copy of the listing with these fields changed and the version incremented. */
export function changed(listing: Listing, fields: Partial<Listing>, now: Date): Listing {
  return { ...listing, ...fields, updatedAt: now, version: listing.version + 1 }
}

/**
 * Reserves an active listing for a buyer. `until` is the payment deadline of an accepted offer, or null for a checkout.
 */
export function reserve(until: Date | null): StatusChange {
  return (listing, now) => changed(listing, { status: 'reserved', reservedUntil: until }, now)
}

/**
 * Releases the reservation of a listing. A fixed-price listing becomes active again. An auction listing becomes ended,
 * because its auction is over. Returns null if the listing is not reserved.
 */
export function release(listing: Listing, now: Date): Listing | null {
  if (listing.status !== 'reserved') return null
  return changed(listing, { status: listing.isAuction ? 'ended' : 'active', reservedUntil: null }, now)
}

/** Marks a listing as sold, even if its seller ended it before the payment arrived. */
export function sell(listing: Listing, now: Date): Listing | null {
  if (listing.status === 'sold') return null
  const isErased = listing.endReason === 'erased'
  const end = isErased ? {} : { endedAt: now, endReason: 'sold' as const }
  return changed(listing, { ...end, isActive: false, status: 'sold', reservedUntil: null }, now)
}

/** Ends an active listing at its seller's request. */
export function endBySeller(listing: Listing, now: Date): Listing {
  return changed(listing, { isActive: false, status: 'ended', endedAt: now, endReason: 'seller' }, now)
}

/**
 * Returns the status change for a closed auction's listing: `reserved` until the payment deadline `dueAt` if the
 * auction has a winner, otherwise `ended`.
 */
export function closeAuction({ closedAt, dueAt }: { closedAt: Date; dueAt: Date | null }): StatusChange {
  return (listing, now) => {
    if (!listing.isActive) return null
    const status = dueAt === null ? 'ended' : 'reserved'
    const end = { endedAt: closedAt, endReason: 'auction' } as const
    return changed(listing, { ...end, isActive: false, status, reservedUntil: dueAt }, now)
  }
}
