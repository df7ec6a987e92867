import { IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router-dom'
import { categoriesQuery } from '../../../api/queries/queries.ts'
import { ActionIcon } from '../../../ui/controls/ActionIcon.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { activeFilters } from './active-filters.ts'
import { readFilters } from './filters.ts'
import { useChangeParams } from './use-change-params.ts'
import classes from './ActiveFilters.module.css'

/** The filters that are set, each with a button that removes it. Shown above the results. */
export function ActiveFilters() {
  const [params] = useSearchParams()
  const { data: categories = [] } = useQuery(categoriesQuery)
  const change = useChangeParams()
  const filters = activeFilters(readFilters(params), categories)
  if (filters.length === 0) return null

  function remove(parameters: readonly string[]) {
    change(Object.fromEntries(parameters.map((name) => [name, null])))
    // Moves the focus to the heading of the results, because the pressed button disappears. Otherwise the focus would
    // return to the start of the page.
    document.getElementById('listings')?.focus()
  }

  return (
    <ul aria-label="Active filters" className={classes.chips}>
      {filters.map(({ name, value, parameters }) => (
        <li key={name} className={classes.chip}>
          <bdi>{value === null ? name : `${name}: ${value}`}</bdi>
          <ActionIcon size={40} aria-label={`Remove filter: ${name}`} onClick={() => remove(parameters)}>
            <IconX size={16} aria-hidden="true" />
          </ActionIcon>
        </li>
      ))}
      <li>
        <Button variant="subtle" onClick={() => remove(filters.flatMap(({ parameters }) => parameters))}>
          Clear all
        </Button>
      </li>
    </ul>
  )
}
