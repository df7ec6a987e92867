import { useInfiniteQuery } from '@tanstack/react-query'
import { listingsQuery } from '../../api/queries.ts'
import { useServerNow } from '../../api/use-server-now.ts'
import { Rail } from './Rail.tsx'
import { endingSoon, railsOf } from './rails.ts'

/** Signs of life above the full list, which does not wait for them. */
export function Rails() {
  const now = useServerNow(60_000)
  const byEnd = useInfiniteQuery(listingsQuery({ sort: 'ending-soon', limit: 12 }))
  const newest = useInfiniteQuery(listingsQuery({ sort: 'newest', limit: 60 }))
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
