import { useQuery } from '@tanstack/react-query'
import { Link, useSearchParams } from 'react-router-dom'
import { categoriesQuery, recoveryQuery, type ListingFilters } from '../../../api/queries/queries.ts'
import { ListingGrid } from '../../../ui/listing/ListingGrid.tsx'
import { withParams } from '../filters/filters.ts'
import { HomeCard } from '../HomeCard.tsx'
import { recoveryLine } from './recovery-text.ts'
import classes from './Recovery.module.css'

/** Suggests other searches if a search has no results. Also shows some results of the first suggestion. */
export function Recovery({ filters }: { filters: ListingFilters }) {
  const [params] = useSearchParams()
  const { data: categories = [] } = useQuery(categoriesQuery)
  const { data: recovery } = useQuery(recoveryQuery(filters))
  if (!recovery || recovery.steps.length === 0) return null
  return (
    <section aria-label="Other ways to find something" className={classes.recovery}>
      <ul className={classes.steps}>
        {recovery.steps.map((step) => {
          const { before, emphasized, after, link, changes } = recoveryLine(step, categories)
          return (
            <li key={`${step.kind} ${step.name}`}>
              {before}
              {emphasized !== '' && <em>{emphasized}</em>}
              {after}
              <Link to={`/?${withParams(params, changes)}`}>{link}</Link>
            </li>
          )
        })}
      </ul>
      <ListingGrid>
        {recovery.listings.map((listing) => (
          <li key={listing.id}>
            <HomeCard listing={listing} />
          </li>
        ))}
      </ListingGrid>
    </section>
  )
}
