import { ListingView, toListingView as toView } from '@marketplace/contracts/listing.ts'
import { z } from 'zod'
import type { CatalogSettings } from '../config.ts'
import { toDocument } from './listing-row.ts'
import type { Listing } from './listing.ts'
import type { DetailedListing, ListingState } from './read-listing.ts'

export const DetailedListingView = ListingView.extend({
  seller_name: z.string().nullable(),
  bid_count: z.int(),
  is_held_by_you: z.boolean().meta({ description: 'The caller has the item on hold and can pay for it' }),
}).meta({ id: 'DetailedListing' })

export function toListingView(
  { listing, currentBid, isActive }: ListingState,
  { PICTURES_ORIGIN }: Pick<CatalogSettings, 'PICTURES_ORIGIN'>,
): ListingView {
  return toView(toDocument(listing), { currentBid, isActive, viewCount: listing.viewCount }, PICTURES_ORIGIN)
}

export function toDetailedListingView(
  detailed: DetailedListing,
  settings: Pick<CatalogSettings, 'PICTURES_ORIGIN'>,
): z.output<typeof DetailedListingView> {
  const { listing, sellerName, bidCount, isHeldByCaller } = detailed
  const { description } = listing
  const more = { seller_name: sellerName, bid_count: bidCount, is_held_by_you: isHeldByCaller }
  return { ...toListingView(detailed, settings), description, ...more }
}

/** Builds the response for a listing without bids, which its seller has just created or changed. */
export function toOwnListingView(
  listing: Listing,
  sellerName: string,
  settings: Pick<CatalogSettings, 'PICTURES_ORIGIN'>,
): z.output<typeof DetailedListingView> {
  const { isActive } = listing
  const state = { listing, isActive, currentBid: null, bidCount: 0 }
  return toDetailedListingView({ ...state, sellerName, isStale: false, isHeldByCaller: false }, settings)
}
