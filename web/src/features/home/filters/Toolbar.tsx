import { IconAdjustmentsHorizontal } from '@tabler/icons-react'
import { useSearchParams } from 'react-router-dom'
import { Button } from '../../../ui/controls/Button.tsx'
import { NativeSelect } from '../../../ui/controls/NativeSelect.tsx'
import { ViewToggle } from '../../../ui/listing/ViewToggle.tsx'
import { sortNames } from './filters.ts'
import { useChangeParams } from './use-change-params.ts'
import classes from './Toolbar.module.css'

function SortSelect() {
  const [params] = useSearchParams()
  const change = useChangeParams()
  const isSearch = (params.get('search') ?? '') !== ''
  const defaultSort = isSearch ? 'relevance' : 'newest'
  const options = Object.entries(sortNames)
    .filter(([value]) => isSearch || value !== 'relevance')
    .map(([value, label]) => ({ value, label }))
  return (
    <NativeSelect
      className={classes.sort}
      aria-label="Sort by"
      data={options}
      value={params.get('sort') ?? defaultSort}
      onChange={(event) =>
        change({ sort: event.currentTarget.value === defaultSort ? null : event.currentTarget.value })
      }
    />
  )
}

interface Props {
  heading: string
  isFiltering: boolean
  /** Number of filters that are set. */
  filterCount: number
  onToggleFilters: () => void
}

export function Toolbar({ heading, isFiltering, filterCount, onToggleFilters }: Props) {
  return (
    <div className={classes.toolbar}>
      <h2 id="listings" tabIndex={-1} className={classes.heading}>
        {heading}
      </h2>
      <Button
        variant="default"
        aria-expanded={isFiltering}
        leftSection={<IconAdjustmentsHorizontal size={18} aria-hidden="true" />}
        onClick={onToggleFilters}
      >
        {filterCount === 0 ? 'Filters' : `Filters (${filterCount})`}
      </Button>
      <SortSelect />
      <div className={classes.views}>
        <ViewToggle />
      </div>
    </div>
  )
}
