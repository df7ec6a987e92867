import { useInfiniteQuery } from '@tanstack/react-query'
import { listingsQuery } from '../../../api/queries/queries.ts'
import { isFirstLoad } from '../../../api/queries/retry-interval.ts'
import { useServerNow } from '../../../api/clock/use-server-now.ts'
import { Rail } from './Rail.tsx'
import { endingSoon, railFilters, buildRails } from './rails.ts'

const cardsPerRail = 12

/** Maximum number of cards in the three rails together. A rail is a horizontally scrolling row of cards. */
export const maxRailCards = 3 * cardsPerRail

/**
 * The three rails (horizontally scrolling rows of cards) of the home page. Renders at most `limit` cards in total. If
 * the limit leaves no cards for a rail, the rail is shown as a skeleton (a gray placeholder) of the same height.
 */
export function Rails({ limit }: { limit: number }) {
  const now = useServerNow(60_000)
  const byEnd = useInfiniteQuery(listingsQuery(railFilters.byEnd))
  const newest = useInfiniteQuery(listingsQuery(railFilters.newest))
  const ending = endingSoon(byEnd.data?.items ?? [], now)
  const others = buildRails(newest.data?.items ?? [], ending, now)
  const isPending = isFirstLoad(byEnd) || isFirstLoad(newest)
  const rails = [
    { heading: 'Ending soon', listings: isFirstLoad(byEnd) ? null : ending },
    { heading: 'New today', listings: isPending ? null : others.newToday },
    { heading: 'Free shipping', listings: isPending ? null : others.freeShipping },
  ]
  const shown = rails.filter(({ listings }) => listings?.length !== 0)
  return shown.map(({ heading, listings }, index) => {
    const railLimit = Math.min(limit - index * cardsPerRail, cardsPerRail)
    return (
      <Rail
        key={heading}
        heading={heading}
        listings={railLimit > 0 ? listings : null}
        limit={railLimit}
        isFirst={index === 0}
      />
    )
  })
}
