import { queryOptions } from '@tanstack/react-query'
import { answer, api } from './client.ts'
import { privateKey } from './queries.ts'

export const trendingQuery = queryOptions({
  queryKey: ['trending'],
  queryFn: () => answer(api.GET('/api/search/trending')),
  staleTime: 30_000,
  meta: { failure: 'Failed to load trending searches:' },
})

/** A signed-in person's history goes with the session; a visitor's belongs to this browser. */
export function historyQuery(sessionId: string, isSignedIn: boolean) {
  return queryOptions({
    queryKey: [isSignedIn ? privateKey : 'visitor', 'search-history'],
    queryFn: () => answer(api.GET('/api/search/history', { params: { query: { session_id: sessionId } } })),
    staleTime: 30_000,
    meta: { failure: 'Failed to load search history:' },
  })
}

export function suggestionsQuery(q: string) {
  return queryOptions({
    queryKey: ['suggestions', q.toLowerCase()],
    queryFn: () => answer(api.GET('/api/search/suggestions', { params: { query: { q } } })),
    enabled: q !== '',
    staleTime: 60_000,
    meta: { failure: 'Failed to load suggestions:' },
  })
}

type TrackedSearch = { search_term: string; session_id: string; result_count: number }

export async function trackSearch(search: TrackedSearch): Promise<void> {
  await api.POST('/api/search/track', { body: search })
}
