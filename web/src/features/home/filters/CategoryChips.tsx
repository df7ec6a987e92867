import { useQuery } from '@tanstack/react-query'
import { Link, useSearchParams } from 'react-router-dom'
import { categoriesQuery } from '../../../api/queries/queries.ts'
import { useLinkInView } from '../../../ui/hooks/use-link-in-view.ts'
import { withParams } from './filters.ts'
import classes from './CategoryChips.module.css'

export function CategoryChips() {
  const { data: categories, isPending } = useQuery(categoriesQuery)
  const [params] = useSearchParams()
  const chosen = params.get('category') ?? ''
  const chips = [{ slug: '', name: 'All Categories' }, ...(categories ?? [])]
  const row = useLinkInView(chips.findIndex(({ slug }) => slug === chosen))
  return (
    <nav ref={row} aria-label="Categories" className={classes.row}>
      <ul className={classes.chips} data-loading={isPending || undefined}>
        {chips.map((chip) => (
          <li key={chip.slug}>
            <Link
              to={`/?${withParams(params, { category: chip.slug })}`}
              className={classes.chip}
              aria-current={chip.slug === chosen ? 'true' : undefined}
              preventScrollReset
            >
              {chip.name}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
