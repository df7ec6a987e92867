import { useInfiniteQuery } from '@tanstack/react-query'
import { pendingOffersQuery } from '../api/queries/offers.ts'
import { useServerNow } from '../api/clock/use-server-now.ts'
import { useAuth } from '../session/use-auth.ts'
import { availableAction } from './offer-actions.ts'

/** The number of offers that wait for the user's response. */
export interface WaitingOffers {
  count: number
  /** The number of offers that wait for the user's response, followed by a plus sign if there might be more. */
  text: string
}

export function useWaitingOffers(): WaitingOffers {
  const { user } = useAuth()
  const now = useServerNow(60_000)
  const list = useInfiniteQuery({ ...pendingOffersQuery, enabled: user !== null })
  const offers = list.data?.items ?? []
  const count = offers.filter((offer) => user !== null && availableAction(offer, user.id, now) === 'respond').length
  return { count, text: `${count}${list.hasNextPage ? '+' : ''}` }
}
