import { toListingView as toView, type ListingView } from '@marketplace/contracts/listing.ts'
import type { ShownListing } from '../db.ts'

export function toListingView(row: ShownListing, picturesOrigin: string | undefined): ListingView {
  const live = {
    currentBid: row.current_bid_cents,
    isActive: row.is_active,
    viewCount: Math.max(row.view_count, row.later_view_count ?? 0),
  }
  return toView(row.body, live, picturesOrigin)
}
