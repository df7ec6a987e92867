import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { logFailure } from '../api/log-failure.ts'
import { historyQuery, trackSearch, trendingQuery } from '../api/search.ts'
import { useAuth } from '../session/use-auth.ts'
import { searchSessionId } from './session-id.ts'

const refreshAfterMs = 100

function alreadyLogged() {}

function refresh(queryClient: QueryClient, isSignedIn: boolean): void {
  const history = historyQuery(searchSessionId(), isSignedIn)
  queryClient.query({ ...history, staleTime: 0 }).catch(alreadyLogged)
  queryClient.query({ ...trendingQuery, staleTime: 0 }).catch(alreadyLogged)
}

/** The search someone just made, until its results are there to be counted. A page opened by its address is none. */
let untracked: string | null = null

/** To be called with each search: has it tracked, and what others and one searched for fetched again shortly after. */
export function useNoteSearch(): (term: string) => void {
  const queryClient = useQueryClient()
  const { user } = useAuth()
  return (term) => {
    untracked = term
    window.setTimeout(() => refresh(queryClient, user !== null), refreshAfterMs)
  }
}

/** Tracks the search whose results a page shows. `total` is undefined until they are there. */
export function useTrackSearch(term: string | undefined, total: string | undefined): void {
  const queryClient = useQueryClient()
  useEffect(() => {
    if (term === undefined || total === undefined || term !== untracked) return
    untracked = null
    const count = Number.parseInt(total, 10)
    trackSearch({ search_term: term, session_id: searchSessionId(), result_count: count })
      .then(() => queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey.includes('search-history') }))
      .catch((error: unknown) => logFailure('Failed to track search:', error))
  }, [term, total, queryClient])
}
