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
import { railCount, Rails } from './Rails.tsx'
import { Results } from './Results.tsx'
import { ResultsHeader } from './ResultsHeader.tsx'
import { Toolbar } from './Toolbar.tsx'
import { useSteps } from './use-steps.ts'
import classes from './HomePage.module.css'

const FilterPanel = lazy(async () => ({ default: (await import('./FilterPanel.tsx')).FilterPanel }))

const firstCards = 8

function useHomeHead(filters: ListingFilters) {
  const { data: categories } = useQuery(categoriesQuery)
  const head = headOf(filters, categories ?? [])
  usePageHead(head.title, head.description, pathOf(filters))
}

export function HomePage() {
  const [params] = useSearchParams()
  const filters = readFilters(params)
  const [isFiltering, setIsFiltering] = useState(false)
  const isFiltered = hasFilters(filters)
  // Each rail, then the list in two.
  const step = useSteps(railCount + 2)
  const most = step < railCount + 2 && !isFiltered ? firstCards : Number.POSITIVE_INFINITY
  useHomeHead(filters)
  return (
    <>
      {isFiltered ? <ResultsHeader filters={filters} /> : <Hero />}
      <CategoryChips />
      {!isFiltered && <Rails shown={step} />}
      <section aria-labelledby="listings" className={classes.listings}>
        <Toolbar
          heading={isFiltered ? 'Listings' : 'All listings'}
          isFiltering={isFiltering}
          onToggleFilters={() => setIsFiltering(!isFiltering)}
        />
        <div className={classes.columns} data-with-filters={isFiltering || undefined}>
          <Suspense>{isFiltering && <FilterPanel onClose={() => setIsFiltering(false)} />}</Suspense>
          {step > railCount || isFiltered ? <Results filters={filters} most={most} /> : <ListingGridSkeleton />}
        </div>
      </section>
    </>
  )
}
