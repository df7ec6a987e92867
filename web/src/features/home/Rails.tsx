import { useInfiniteQuery } from '@tanstack/react-query'
import { listingsQuery } from '../../api/queries.ts'
import { useServerNow } from '../../api/use-server-now.ts'
import { Rail } from './Rail.tsx'
import { endingSoon, railFilters, railsOf } from './rails.ts'

const cardsOfRail = 12

/** Cards on all rails. */
export const railCards = 3 * cardsOfRail

/** Signs of life above the full list, which does not wait for them. The first `most` cards are drawn, the others keep their place. */
export function Rails({ most }: { most: number }) {
  const now = useServerNow(60_000)
  const byEnd = useInfiniteQuery(listingsQuery(railFilters.byEnd))
  const newest = useInfiniteQuery(listingsQuery(railFilters.newest))
  const ending = endingSoon(byEnd.data?.pages[0]?.listings ?? [], now)
  const others = railsOf(newest.data?.pages[0]?.listings ?? [], ending, now)
  const isPending = byEnd.isPending || newest.isPending
  const rails = [
    { heading: 'Ending soon', listings: byEnd.isPending ? null : ending },
    { heading: 'New today', listings: isPending ? null : others.newToday },
    { heading: 'Free shipping', listings: isPending ? null : others.freeShipping },
  ]
  return rails.map(({ heading, listings }, index) => {
    const drawn = Math.min(most - index * cardsOfRail, cardsOfRail)
    const isDrawn = drawn > 0 || listings?.length === 0
    return <Rail key={heading} heading={heading} listings={isDrawn ? listings : null} most={drawn} />
  })
}
