import { queryOptions } from '@tanstack/react-query'
import { responseBody, api } from '../client/client.ts'
import { privateQueryKey } from './queries.ts'

export const trendingQuery = queryOptions({
  queryKey: ['trending'],
  queryFn: () => responseBody(api.GET('/api/search/trending')),
  staleTime: 30_000,
  meta: { failure: 'Failed to load trending searches:' },
})

/** The search history of the user or, if the user is signed out, of this browser. */
export function historyQuery(sessionId: string, isSignedIn: boolean) {
  return queryOptions({
    queryKey: [isSignedIn ? privateQueryKey : 'visitor', 'search-history'],
    queryFn: () => responseBody(api.GET('/api/search/history', { params: { query: { session_id: sessionId } } })),
    staleTime: 30_000,
    meta: { failure: 'Failed to load search history:' },
  })
}

export function suggestionsQuery(q: string) {
  return queryOptions({
    queryKey: ['suggestions', q.toLowerCase()],
    queryFn: () => responseBody(api.GET('/api/search/suggestions', { params: { query: { q } } })),
    enabled: q !== '',
    staleTime: 60_000,
    meta: { failure: 'Failed to load suggestions:' },
  })
}

interface TrackedSearch {
  search_term: string
  session_id: string
  result_count: number
}

export async function trackSearch(search: TrackedSearch): Promise<void> {
  await api.POST('/api/search/track', { body: search })
}
