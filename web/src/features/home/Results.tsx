import { Button } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useSearchParams } from 'react-router-dom'
import { listingsQuery, type ListingFilters } from '../../api/queries.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ListingCard } from '../../ui/ListingCard.tsx'
import { ListingGrid, ListingGridSkeleton } from '../../ui/ListingGrid.tsx'
import { OffersData } from './OffersData.tsx'
import classes from './Results.module.css'

function NothingFound() {
  return (
    <EmptyState drawing="search" heading={<h3>No listings found</h3>}>
      <p>Try adjusting your search criteria or browse different categories.</p>
      <Button component={Link} to="/" variant="default">
        Show everything
      </Button>
    </EmptyState>
  )
}

export function Results({ filters }: { filters: ListingFilters }) {
  const [params] = useSearchParams()
  const { data, isPending, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(listingsQuery(filters))
  const layout = params.get('view') === 'list' ? 'list' : 'grid'
  if (isPending) return <ListingGridSkeleton layout={layout} />
  const listings = data?.pages.flatMap((page) => page.listings) ?? []
  if (listings.length === 0) return <NothingFound />
  return (
    <div>
      <OffersData listings={listings} />
      <ListingGrid layout={layout}>
        {listings.map((listing, index) => (
          <li key={listing.id}>
            <ListingCard listing={listing} layout={layout} isEager={index < 4} />
          </li>
        ))}
      </ListingGrid>
      {hasNextPage && (
        <div className={classes.more}>
          <Button variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            Load more
          </Button>
        </div>
      )}
    </div>
  )
}
