import { ListingView, toListingView as toView } from '@marketplace/contracts/listing.ts'
import { z } from 'zod'
import type { CatalogSettings } from '../config.ts'
import { toDocument } from './listing-row.ts'
import type { DetailedListing, ListingState } from './read-listing.ts'

export const DetailedListingView = ListingView.extend({
  seller_name: z.string().nullable(),
  bid_count: z.int(),
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
  const { listing, sellerName, bidCount } = detailed
  const { description } = listing
  return { ...toListingView(detailed, settings), description, seller_name: sellerName, bid_count: bidCount }
}
