import { useInfiniteQuery } from '@tanstack/react-query'
import { isFirstLoad } from '../../api/queries/retry-interval.ts'
import { sellerListingsQuery } from '../../api/queries/members.ts'
import { ListingCard } from '../../ui/listing/ListingCard.tsx'
import { ListingGrid, ListingGridSkeleton } from '../../ui/listing/ListingGrid.tsx'
import { ListFooter } from '../../ui/page/ListFooter.tsx'
import { CardWatchToggle } from '../../watchlist/CardWatchToggle.tsx'
import classes from './SellerPage.module.css'

export function SellerListings({ id }: { id: string }) {
  const list = useInfiniteQuery(sellerListingsQuery(id))
  const listings = list.data?.items
  if (isFirstLoad(list)) return <ListingGridSkeleton />
  if (listings === undefined) return null
  return (
    <section aria-labelledby="listings">
      <h2 id="listings" className={classes.heading}>
        Listings
      </h2>
      {listings.length === 0 && <p>This member has no active listings.</p>}
      <ListingGrid>
        {listings.map((listing) => (
          <li key={listing.id}>
            <ListingCard listing={listing} corner={<CardWatchToggle listing={listing} />} />
          </li>
        ))}
      </ListingGrid>
      <ListFooter list={list} />
    </section>
  )
}
