import { useInfiniteQuery } from '@tanstack/react-query'
import type { ListingDetail } from '../api/client/types.ts'
import { sellerListingsQuery } from '../api/queries/members.ts'
import { RelatedListings } from './RelatedListings.tsx'

/** Other active listings of the seller. */
export function MoreFromSeller({ listing }: { listing: ListingDetail }) {
  const { data } = useInfiniteQuery(sellerListingsQuery(listing.user_id))
  const others = (data?.items ?? []).filter(({ id }) => id !== listing.id)
  return <RelatedListings heading="More from this seller" listings={others} />
}
