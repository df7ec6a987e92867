import { IconTrendingUp } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useSearchParams } from 'react-router-dom'
import { trendingQuery } from '../../api/search.ts'
import { useNoteSearch } from '../../search/use-search.ts'
import { withParams } from './filters.ts'
import classes from './Trending.module.css'

const mostShown = 6

/** What others search for. Its line is kept free while that loads, and stays empty when it fails. */
export function Trending() {
  const { data: terms = [] } = useQuery(trendingQuery)
  const [params] = useSearchParams()
  const noteSearch = useNoteSearch()
  return (
    <nav aria-label="Trending searches" className={classes.trending}>
      {terms.length > 0 && (
        <ul className={classes.terms}>
          <li className={classes.label} aria-hidden="true">
            <IconTrendingUp size={18} stroke={1.7} /> Trending
          </li>
          {terms.slice(0, mostShown).map(({ search_term: term }) => (
            <li key={term}>
              <Link
                to={`/?${withParams(params, { search: term })}`}
                className={classes.term}
                onClick={() => noteSearch(term)}
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
