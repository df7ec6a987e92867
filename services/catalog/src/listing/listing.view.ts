import { ListingView, toListingView as toView } from '@marketplace/contracts/listing.ts'
import { z } from 'zod'
import { toDocument } from './listing-row.ts'
import type { DetailedListing, ListingState } from './read-listing.ts'

export const DetailedListingView = ListingView.extend({
  seller_name: z.string().nullable(),
  bid_count: z.int(),
}).meta({ id: 'DetailedListing' })

export function toListingView({ listing, currentBid, isActive }: ListingState): ListingView {
  return toView(toDocument(listing), { currentBid, isActive, viewCount: listing.viewCount })
}

export function toDetailedListingView(detailed: DetailedListing): z.output<typeof DetailedListingView> {
  const { listing, sellerName, bidCount } = detailed
  const { description } = listing
  return { ...toListingView(detailed), description, seller_name: sellerName, bid_count: bidCount }
}
