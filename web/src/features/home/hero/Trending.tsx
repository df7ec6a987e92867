import { IconTrendingUp } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useSearchParams } from 'react-router-dom'
import { trendingQuery } from '../../../api/queries/search.ts'
import { useRecordSearch } from '../../../search/use-search.ts'
import { withParams } from '../filters/filters.ts'
import classes from './Trending.module.css'

const maxShown = 6

/**
 * The trending searches in one line. The line has a fixed height, so that the page does not shift when they load. It
 * stays empty if loading fails.
 */
export function Trending() {
  const { data: terms = [] } = useQuery(trendingQuery)
  const [params] = useSearchParams()
  const recordSearch = useRecordSearch()
  return (
    <nav aria-label="Trending searches" className={classes.trending}>
      {terms.length > 0 && (
        <ul className={classes.terms}>
          <li className={classes.label} aria-hidden="true">
            <IconTrendingUp size={18} stroke={1.7} /> Trending
          </li>
          {terms.slice(0, maxShown).map(({ search_term: term }) => (
            <li key={term}>
              <Link
                to={`/?${withParams(params, { search: term })}`}
                className={classes.term}
                onClick={() => recordSearch(term)}
              >
                {term}
              </Link>
            </li>
          ))}
        </ul>
      )}
    </nav>
  )
}
