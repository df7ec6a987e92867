import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { logFailure } from '../api/client/log-failure.ts'
import { historyQuery, trackSearch, trendingQuery } from '../api/queries/search.ts'
import { useAuth } from '../session/use-auth.ts'
import { searchSessionId } from './session-id.ts'

const refreshAfterMs = 100

function alreadyLogged() {}

function refresh(queryClient: QueryClient, isSignedIn: boolean): void {
  const history = historyQuery(searchSessionId(), isSignedIn)
  queryClient.query({ ...history, staleTime: 0 }).catch(alreadyLogged)
  queryClient.query({ ...trendingQuery, staleTime: 0 }).catch(alreadyLogged)
}

/** The term that the user last searched for, until that search is reported to the server. */
let untracked: string | null = null

/**
 * Returns a function that must be called for each search. It stores the term for useTrackSearch and, after a short
 * delay, refetches the search history and the trending terms.
 */
export function useRecordSearch(): (term: string) => void {
  const queryClient = useQueryClient()
  const { user } = useAuth()
  return (term) => {
    untracked = term
    window.setTimeout(() => refresh(queryClient, user !== null), refreshAfterMs)
  }
}

/** Once the number of results (`total`) is known, reports the search that useRecordSearch has stored. */
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
