import { queryOptions } from '@tanstack/react-query'
import { answer, api } from './client.ts'
import { privateKey } from './queries.ts'

export const watchlistQuery = queryOptions({
  queryKey: [privateKey, 'watchlist'],
  queryFn: () => answer(api.GET('/api/watchlist')),
  meta: { failure: 'Failed to load watchlist:' },
})

export function watchedQuery(listingId: string) {
  return queryOptions({
    queryKey: [privateKey, 'watched', listingId],
    queryFn: () => answer(api.GET('/api/watchlist/check/{id}', { params: { path: { id: listingId } } })),
    staleTime: 10_000,
    meta: { failure: 'Failed to check watchlist:' },
  })
}

export function setWatched(listingId: string, isWatched: boolean): Promise<{ isWatched: boolean }> {
  if (isWatched) return answer(api.POST('/api/watchlist', { body: { listing_id: listingId } }))
  return answer(api.DELETE('/api/watchlist/{id}', { params: { path: { id: listingId } } }))
}
