import { Button } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from 'react-router-dom'
import { listingsQuery, type ListingFilters } from '../../api/queries.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ListingGrid, ListingGridSkeleton } from '../../ui/ListingGrid.tsx'
import { useLayout } from '../../ui/ViewToggle.tsx'
import { hasFilters } from './filters.ts'
import { HomeCard } from './HomeCard.tsx'
import { LoadMore } from './LoadMore.tsx'
import { OffersData } from './OffersData.tsx'

/** After as many pages the button alone loads more, so that the page's foot can be reached. */
const mostAutomatic = 5

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

/** `most` of them: the others follow in the next drawing. */
export function Results({ filters, most }: { filters: ListingFilters; most: number }) {
  const { data, isPending, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = useInfiniteQuery(
    listingsQuery(filters),
  )
  const [layout] = useLayout()
  if (isPending) return <ListingGridSkeleton layout={layout} />
  const listings = data?.pages.flatMap((page) => page.listings) ?? []
  if (listings.length === 0) return <NothingFound />
  return (
    <div>
      <OffersData listings={listings} />
      <ListingGrid layout={layout}>
        {listings.slice(0, most).map((listing, index) => (
          <li key={listing.id}>
            <HomeCard listing={listing} layout={layout} isEager={index < 4 && hasFilters(filters)} />
          </li>
        ))}
      </ListingGrid>
      {hasNextPage && listings.length <= most && (
        <LoadMore
          isBusy={isFetchingNextPage}
          isAutomatic={!isFetchNextPageError && (data?.pages.length ?? 0) < mostAutomatic}
          onMore={() => void fetchNextPage()}
        />
      )}
    </div>
  )
}
