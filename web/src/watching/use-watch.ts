import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router-dom'
import { isSignedOut } from '../api/http.ts'
import type { Listing } from '../api/types.ts'
import { setWatched, watchedQuery, watchlistQuery } from '../api/watchlist.ts'
import { useSingleMutation } from '../api/use-single-mutation.ts'
import { useAuth } from '../session/use-auth.ts'

type Watch = { isWatched: boolean; toggle: () => void }

/** Whether one watches a listing: asked once it can be seen, not for one's own. A toggle shows at once; it is taken back when the server did not take it. */
export function useWatch({ id: listingId, user_id: ownerId }: Listing, isSeen: boolean): Watch {
  const { user } = useAuth()
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const watched = watchedQuery(listingId)
  const { data } = useQuery({ ...watched, enabled: isSeen && user !== null && user.id !== ownerId })
  const isWatched = user !== null && data?.isWatched === true
  const change = useSingleMutation({
    mutationFn: (next: boolean) => setWatched(listingId, next),
    onMutate: async (next) => {
      await queryClient.cancelQueries({ queryKey: watched.queryKey })
      queryClient.setQueryData(watched.queryKey, { isWatched: next })
    },
    onError: (error, next) => {
      if (!isSignedOut(error)) queryClient.setQueryData(watched.queryKey, { isWatched: !next })
      // A page of members is there by then: once more, and going back would stay on the sign-in page.
      else if (window.location.pathname !== '/sign-in') void navigate('/sign-in')
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: watchlistQuery.queryKey }),
    meta: { failure: 'Failed to change watchlist:' },
  })
  return { isWatched, toggle: () => !change.isPending && change.mutate(!isWatched) }
}
