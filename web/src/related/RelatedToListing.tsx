import type { ListingDetail } from '../api/client/types.ts'
import { MoreFromSeller } from './MoreFromSeller.tsx'
import { RecentlyViewed } from './RecentlyViewed.tsx'
import { SimilarItems } from './SimilarItems.tsx'

/** The rows of related listings below a listing. */
export function RelatedToListing({ listing }: { listing: ListingDetail }) {
  return (
    <>
      <SimilarItems id={listing.id} />
      <MoreFromSeller listing={listing} />
      <RecentlyViewed shownId={listing.id} />
    </>
  )
}
