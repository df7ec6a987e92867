import { queryOptions } from '@tanstack/react-query'
import { responseBody, api } from '../client/client.ts'
import { privateQueryKey } from './queries.ts'

export const watchlistQuery = queryOptions({
  queryKey: [privateQueryKey, 'watchlist'],
  queryFn: () => responseBody(api.GET('/api/watchlist')),
  meta: { failure: 'Failed to load watchlist:' },
})

export function watchedQuery(listingId: string) {
  return queryOptions({
    queryKey: [privateQueryKey, 'watched', listingId],
    queryFn: () => responseBody(api.GET('/api/watchlist/check/{id}', { params: { path: { id: listingId } } })),
    staleTime: 10_000,
    meta: { failure: 'Failed to check watchlist:' },
  })
}

export function setWatched(listingId: string, isWatched: boolean): Promise<{ isWatched: boolean }> {
  if (isWatched) return responseBody(api.POST('/api/watchlist', { body: { listing_id: listingId } }))
  return responseBody(api.DELETE('/api/watchlist/{id}', { params: { path: { id: listingId } } }))
}
