import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { categoriesQuery, listingsPerPage, type ListingFilters } from '../../api/queries/queries.ts'
import { ListingGridSkeleton } from '../../ui/listing/ListingGrid.tsx'
import { usePageHead } from '../../ui/hooks/use-page-head.ts'
import { ActiveFilters } from './filters/ActiveFilters.tsx'
import { activeFilters } from './filters/active-filters.ts'
import { CategoryChips } from './filters/CategoryChips.tsx'
import { hasFilters, readFilters } from './filters/filters.ts'
import { Hero } from './hero/Hero.tsx'
import { homeHead, canonicalPath } from './page-head.ts'
import { maxRailCards, Rails } from './rails/Rails.tsx'
import { ReturnLink } from './ReturnLink.tsx'
import { Results } from './results/Results.tsx'
import { ResultsHeader } from './results/ResultsHeader.tsx'
import { Toolbar } from './filters/Toolbar.tsx'
import { useIncrementalRender } from './use-incremental-render.ts'
import classes from './HomePage.module.css'

const FilterPanel = lazy(async () => ({ default: (await import('./filters/FilterPanel.tsx')).FilterPanel }))

const RecentlyViewed = lazy(async () => ({
  default: (await import('../../related/RecentlyViewed.tsx')).RecentlyViewed,
}))

// Number of cards that are rendered in one step, small enough that a phone stays responsive.
const cardsPerStep = 3
const lastStep = (maxRailCards + listingsPerPage) / cardsPerStep

function useHomeHead(filters: ListingFilters) {
  const { data: categories } = useQuery(categoriesQuery)
  const head = homeHead(filters, categories ?? [])
  usePageHead(head.title, head.description, canonicalPath(filters))
}

/**
 * The rails (horizontally scrolling rows of cards) and the list of all listings. This is a separate component, so that
 * rendering more cards does not rerender the rest of the page.
 */
function Lists({ filters }: { filters: ListingFilters }) {
  const [isFiltering, setIsFiltering] = useState(false)
  const isFiltered = hasFilters(filters)
  // Each step renders more cards: first those of the rails, then those of the list below.
  const step = useIncrementalRender(lastStep)
  const limit = step < lastStep && !isFiltered ? step * cardsPerStep : Number.POSITIVE_INFINITY
  return (
    <>
      {!isFiltered && <Rails limit={limit} />}
      <Suspense>{!isFiltered && limit > maxRailCards && <RecentlyViewed />}</Suspense>
      <section aria-labelledby="listings" className={classes.listings}>
        <Toolbar
          heading={isFiltered ? 'Listings' : 'All listings'}
          isFiltering={isFiltering}
          filterCount={activeFilters(filters, []).length}
          onToggleFilters={() => setIsFiltering(!isFiltering)}
        />
        <ActiveFilters />
        <div className={classes.columns} data-with-filters={isFiltering || undefined}>
          <Suspense>{isFiltering && <FilterPanel onClose={() => setIsFiltering(false)} />}</Suspense>
          {limit > maxRailCards ? <Results filters={filters} limit={limit - maxRailCards} /> : <ListingGridSkeleton />}
        </div>
      </section>
    </>
  )
}

export function HomePage() {
  const [params] = useSearchParams()
  const filters = readFilters(params)
  useHomeHead(filters)
  return (
    <div className={classes.page}>
      <ReturnLink />
      {hasFilters(filters) ? <ResultsHeader filters={filters} /> : <Hero />}
      <CategoryChips />
      <Lists filters={filters} />
    </div>
  )
}
