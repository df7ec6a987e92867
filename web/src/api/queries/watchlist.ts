import { queryOptions } from '@tanstack/react-query'
import { responseBody, api } from '../client/client.ts'
import { nextTask } from '../client/next-task.ts'
import { fetchPage, pagedQuery } from './paged.ts'
import { privateQueryKey } from './queries.ts'
import type { CardListing } from '../client/types.ts'

/** Prefix of the query keys for the watchlist and for searches in it. */
export const watchlistKey = [privateQueryKey, 'watchlist']

/** The favorites whose title or description contains the term. An empty term matches all favorites. */
export function watchlistQuery(term: string) {
  return pagedQuery({
    queryKey: [...watchlistKey, term],
    load: (query) =>
      fetchPage<CardListing>('/api/watchlist', { ...query, ...(term !== '' && { search: term }), fields: 'card' }),
    failure: 'Failed to load watchlist:',
  })
}

let previousCheck = Promise.resolve()

/** Resolves in a new task, after all previous calls. */
function nextCheck(): Promise<void> {
  previousCheck = previousCheck.then(nextTask)
  return previousCheck
}

/**
 * Checks whether the user watches the listing. Each request is sent in its own task, because sending the requests for
 * 60 cards at once would block the page on a phone.
 */
export function watchedQuery(listingId: string) {
  return queryOptions({
    queryKey: [privateQueryKey, 'watched', listingId],
    queryFn: async () => {
      await nextCheck()
      return responseBody(api.GET('/api/watchlist/check/{id}', { params: { path: { id: listingId } } }))
    },
    staleTime: 10_000,
    meta: { failure: 'Failed to check watchlist:' },
  })
}

export function setWatched(listingId: string, isWatched: boolean): Promise<{ isWatched: boolean }> {
  if (isWatched) return responseBody(api.POST('/api/watchlist', { body: { listing_id: listingId } }))
  return responseBody(api.DELETE('/api/watchlist/{id}', { params: { path: { id: listingId } } }))
}
