import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { categoriesQuery, type ListingFilters } from '../../api/queries.ts'
import { ListingGridSkeleton } from '../../ui/ListingGrid.tsx'
import { usePageHead } from '../../ui/use-page-head.ts'
import { CategoryChips } from './CategoryChips.tsx'
import { hasFilters, readFilters } from './filters.ts'
import { Hero } from './Hero.tsx'
import { headOf, pathOf } from './page-head.ts'
import { railCards, Rails } from './Rails.tsx'
import { Results } from './Results.tsx'
import { ResultsHeader } from './ResultsHeader.tsx'
import { Toolbar } from './Toolbar.tsx'
import { useSteps } from './use-steps.ts'
import classes from './HomePage.module.css'

const FilterPanel = lazy(async () => ({ default: (await import('./FilterPanel.tsx')).FilterPanel }))

// As many at a time keep a phone busy for a moment that nobody notices.
const cardsOfStep = 3
const cardsOfPage = 24
const lastStep = (railCards + cardsOfPage) / cardsOfStep

function useHomeHead(filters: ListingFilters) {
  const { data: categories } = useQuery(categoriesQuery)
  const head = headOf(filters, categories ?? [])
  usePageHead(head.title, head.description, pathOf(filters))
}

/** Apart from what is above it, which is not drawn again with each step. */
function Lists({ filters }: { filters: ListingFilters }) {
  const [isFiltering, setIsFiltering] = useState(false)
  const isFiltered = hasFilters(filters)
  // The rails, then the list.
  const step = useSteps(lastStep)
  const most = step < lastStep && !isFiltered ? step * cardsOfStep : Number.POSITIVE_INFINITY
  return (
    <>
      {!isFiltered && <Rails most={most} />}
      <section aria-labelledby="listings" className={classes.listings}>
        <Toolbar
          heading={isFiltered ? 'Listings' : 'All listings'}
          isFiltering={isFiltering}
          onToggleFilters={() => setIsFiltering(!isFiltering)}
        />
        <div className={classes.columns} data-with-filters={isFiltering || undefined}>
          <Suspense>{isFiltering && <FilterPanel onClose={() => setIsFiltering(false)} />}</Suspense>
          {most > railCards ? <Results filters={filters} most={most - railCards} /> : <ListingGridSkeleton />}
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
    <>
      {hasFilters(filters) ? <ResultsHeader filters={filters} /> : <Hero />}
      <CategoryChips />
      <Lists filters={filters} />
    </>
  )
}
