import { Button } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from 'react-router-dom'
import { listingsQuery, type ListingFilters } from '../../../api/queries/queries.ts'
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx'
import { ListingGrid, ListingGridSkeleton } from '../../../ui/listing/ListingGrid.tsx'
import { useLayout } from '../../../ui/listing/ViewToggle.tsx'
import { hasFilters } from '../filters/filters.ts'
import { HomeCard } from '../HomeCard.tsx'
import { LoadMore } from './LoadMore.tsx'
import { OffersData } from './OffersData.tsx'

/** After this many pages only the button loads more, so that the footer can be reached. */
const maxAutomaticPages = 5

function NoResults() {
  return (
    <EmptyState icon="search" heading={<h3>No listings found</h3>}>
      <p>Try adjusting your search criteria or browse different categories.</p>
      <Button component={Link} to="/" variant="default">
        Show everything
      </Button>
    </EmptyState>
  )
}

/** The list of results, of which only the first `limit` are rendered in this step. */
export function Results({ filters, limit }: { filters: ListingFilters; limit: number }) {
  const { data, isPending, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = useInfiniteQuery(
    listingsQuery(filters),
  )
  const [layout] = useLayout()
  if (isPending) return <ListingGridSkeleton layout={layout} />
  const listings = data?.pages.flatMap((page) => page.listings) ?? []
  if (listings.length === 0) return <NoResults />
  return (
    <div>
      <OffersData listings={listings} />
      <ListingGrid layout={layout}>
        {listings.slice(0, limit).map((listing, index) => (
          <li key={listing.id}>
            <HomeCard listing={listing} layout={layout} isEager={index < 4 && hasFilters(filters)} />
          </li>
        ))}
      </ListingGrid>
      {hasNextPage && listings.length <= limit && (
        <LoadMore
          isBusy={isFetchingNextPage}
          isAutomatic={!isFetchNextPageError && (data?.pages.length ?? 0) < maxAutomaticPages}
          onMore={() => void fetchNextPage()}
        />
      )}
    </div>
  )
}
