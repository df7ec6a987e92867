import { useInfiniteQuery } from '@tanstack/react-query'
import { listingsQuery } from '../../api/queries.ts'
import { useServerNow } from '../../api/use-server-now.ts'
import { Rail } from './Rail.tsx'
import { endingSoon, railFilters, railsOf } from './rails.ts'

/** Signs of life above the full list, which does not wait for them. */
export function Rails() {
  const now = useServerNow(60_000)
  const byEnd = useInfiniteQuery(listingsQuery(railFilters.byEnd))
  const newest = useInfiniteQuery(listingsQuery(railFilters.newest))
  const ending = endingSoon(byEnd.data?.pages[0]?.listings ?? [], now)
  const rails = railsOf(newest.data?.pages[0]?.listings ?? [], ending, now)
  const isPending = byEnd.isPending || newest.isPending
  return (
    <>
      <Rail heading="Ending soon" listings={byEnd.isPending ? null : ending} />
      <Rail heading="New today" listings={isPending ? null : rails.newToday} />
      <Rail heading="Free shipping" listings={isPending ? null : rails.freeShipping} />
    </>
  )
}
