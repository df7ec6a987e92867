import { useQuery, useQueryClient } from '@tanstack/react-query'
import { use } from 'react'
import { useNavigate } from 'react-router-dom'
import { isSignedOut } from '../api/client/http.ts'
import type { ListingSummary } from '../api/client/types.ts'
import { setWatched, watchedQuery, watchlistKey } from '../api/queries/watchlist.ts'
import { useSingleMutation } from '../api/client/use-single-mutation.ts'
import { rememberReturnPage } from '../session/return-page.ts'
import { SignInRequiredContext, useAuth } from '../session/use-auth.ts'

interface Watch {
  isWatched: boolean
  /** Opens the sign-in page for a signed-out visitor. */
  toggle: () => void
}

/**
 * Returns whether the user watches a listing, and a function that starts or stops watching. A change is shown at once
 * and undone if the request fails.
 */
export function useWatch({ id: listingId, user_id: sellerId }: ListingSummary): Watch {
  const { user } = useAuth()
  const isSignInRequired = use(SignInRequiredContext)
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const signIn = () => {
    rememberReturnPage()
    void navigate('/sign-in')
  }
  const watched = watchedQuery(listingId)
  const { data } = useQuery({ ...watched, enabled: user !== null && user.id !== sellerId })
  const isWatched = user !== null && data?.isWatched === true
  const change = useSingleMutation({
    mutationFn: (next: boolean) => setWatched(listingId, next),
    onMutate: async (next) => {
      await queryClient.cancelQueries({ queryKey: watched.queryKey })
      queryClient.setQueryData(watched.queryKey, { isWatched: next })
    },
    onError: (error, next) => {
      if (!isSignedOut(error)) queryClient.setQueryData(watched.queryKey, { isWatched: !next })
      // On pages that require a session, RequireSignIn already redirects to the sign-in page.
      else if (!isSignInRequired) signIn()
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: watchlistKey }),
    meta: { failure: 'Failed to change watchlist:' },
  })
  return { isWatched, toggle: () => (user === null ? signIn() : !change.isPending && change.mutate(!isWatched)) }
}
