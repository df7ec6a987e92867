import { useInfiniteQuery } from '@tanstack/react-query'
import { listingsQuery, type ListingFilters } from '../../../api/queries/queries.ts'
import { isFirstLoad } from '../../../api/queries/retry-interval.ts'
import { PageHeading } from '../../../ui/page/PageHeading.tsx'
import { SearchBox } from '../../../search/SearchBox.tsx'
import { useTrackSearch } from '../../../search/use-search.ts'
import { useChangeParams } from '../filters/use-change-params.ts'
import classes from './ResultsHeader.module.css'

function ItemCount({ filters }: { filters: ListingFilters }) {
  const list = useInfiniteQuery(listingsQuery(filters))
  const { data } = list
  useTrackSearch(filters.search, data?.total ?? undefined)
  if (isFirstLoad(list)) return <output className={classes.count} />
  const total = data?.total ?? '0'
  return (
    <output className={classes.count}>
      {total} {total === '1' ? 'item' : 'items'} found
    </output>
  )
}

/** Tells the user that the search term has no results and that the results are for a corrected term. */
function Correction({ filters }: { filters: ListingFilters }) {
  const { data } = useInfiniteQuery(listingsQuery(filters))
  if (!data?.corrected) return null
  return (
    <p className={classes.correction}>
      Showing results for <strong>{data.corrected}</strong>. No results for “{filters.search}”.
    </p>
  )
}

export function ResultsHeader({ filters }: { filters: ListingFilters }) {
  const change = useChangeParams()
  const { search } = filters
  return (
    <header className={classes.header}>
      <div>
        <PageHeading>{search === undefined ? 'Browse listings' : `Search results for ${search}`}</PageHeading>
        <ItemCount filters={filters} />
        <Correction filters={filters} />
      </div>
      <div className={classes.search}>
        <SearchBox
          key={search}
          label="Search listings"
          initialTerm={search}
          withButton
          onSearch={(term) => change({ search: term })}
        />
      </div>
    </header>
  )
}
