import { hashKey, hydrate, type QueryClient, type QueryKey } from '@tanstack/react-query'
import type { InitialData } from './initial-data.ts'
import { startCursor } from '../queries/paged.ts'
import { categoriesQuery, listingQuery, listingsQuery, toListingPage } from '../queries/queries.ts'
import { trendingQuery } from '../queries/search.ts'

function entriesOf({ listing, categories, trending, lists = [] }: InitialData): [QueryKey, unknown][] {
  const pages = lists.map(({ filters, ...response }): [QueryKey, unknown] => [
    listingsQuery(filters).queryKey,
    { pages: [toListingPage(response)], pageParams: [startCursor] },
  ])
  const others: [QueryKey, unknown][] = [
    [categoriesQuery.queryKey, categories],
    [trendingQuery.queryKey, trending],
    ...(listing === undefined ? [] : [[listingQuery(listing.id).queryKey, listing] satisfies [QueryKey, unknown]]),
  ]
  return [...pages, ...others].filter(([, data]) => data !== undefined)
}

function queryWith([queryKey, data]: [QueryKey, unknown], dataUpdatedAt: number) {
  return {
    queryKey,
    queryHash: hashKey(queryKey),
    dehydratedAt: dataUpdatedAt,
    state: {
      data,
      dataUpdatedAt,
      // 0 marks initial data; each fetch increases the count.
      dataUpdateCount: 0,
      error: null,
      errorUpdateCount: 0,
      errorUpdatedAt: 0,
      fetchFailureCount: 0,
      fetchFailureReason: null,
      fetchMeta: null,
      fetchStatus: 'idle',
      isInvalidated: false,
      status: 'success',
    } as const,
  }
}

/** Puts initial data into the query cache. `updatedAt`, in ms, determines when the data becomes stale. */
export function hydrateCache(client: QueryClient, data: InitialData, updatedAt: number): void {
  hydrate(client, { mutations: [], queries: entriesOf(data).map((entry) => queryWith(entry, updatedAt)) })
}
