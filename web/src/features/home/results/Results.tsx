import { useInfiniteQuery } from '@tanstack/react-query'
import { listingsQuery, type ListingFilters } from '../../../api/queries/queries.ts'
import { isFirstLoad } from '../../../api/queries/retry-interval.ts'
import { ButtonLink } from '../../../ui/controls/Button.tsx'
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx'
import { ListingGrid, ListingGridSkeleton } from '../../../ui/listing/ListingGrid.tsx'
import { useLayout } from '../../../ui/listing/ViewToggle.tsx'
import { ListFooter } from '../../../ui/page/ListFooter.tsx'
import { hasFilters } from '../filters/filters.ts'
import { HomeCard } from '../HomeCard.tsx'
import { OffersData } from './OffersData.tsx'
import { Recovery } from './Recovery.tsx'
import { ResultSection } from './ResultSection.tsx'
import { toSections } from './sections.ts'
import { useDescriptions } from './use-descriptions.ts'

function NoResults({ isFiltered }: { isFiltered: boolean }) {
  return (
    <EmptyState icon="search" heading={<h3>No listings found</h3>}>
      <p>Try adjusting your search criteria or browse different categories.</p>
      {isFiltered && (
        <ButtonLink to="/" variant="default">
          Clear search and filters
        </ButtonLink>
      )}
    </EmptyState>
  )
}

/**
 * The listings that match the filters. Only the first `limit` cards are rendered, because the home page renders its
 * cards in several steps.
 */
export function Results({ filters, limit }: { filters: ListingFilters; limit: number }) {
  const list = useInfiniteQuery(listingsQuery(filters))
  const [layout] = useLayout()
  useDescriptions(filters, list, layout === 'list')
  if (isFirstLoad(list)) return <ListingGridSkeleton layout={layout} />
  const listings = list.data?.items ?? []
  const isFiltered = hasFilters(filters)
  if (listings.length === 0) {
    return (
      <div>
        <NoResults isFiltered={isFiltered} />
        {list.isSuccess && isFiltered && <Recovery filters={filters} />}
      </div>
    )
  }
  return (
    <div>
      <OffersData listings={listings} />
      {toSections(listings.slice(0, limit), filters).map(({ heading, listings: inSection }, index) => (
        <ResultSection key={heading} heading={heading}>
          <ListingGrid layout={layout}>
            {inSection.map((listing, place) => (
              <li key={listing.id}>
                <HomeCard listing={listing} layout={layout} isMain={isFiltered && index === 0 && place === 0} />
              </li>
            ))}
          </ListingGrid>
        </ResultSection>
      ))}
      {listings.length <= limit && <ListFooter list={list} />}
    </div>
  )
}
