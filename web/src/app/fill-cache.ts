import { hashKey, hydrate, type QueryClient, type QueryKey } from '@tanstack/react-query'
import type { FirstAnswer } from '../api/first-answer.ts'
import { categoriesQuery, listingQuery, listingsQuery, readPage, startCursor } from '../api/queries.ts'
import { trendingQuery } from '../api/search.ts'

function entriesOf({ listing, categories, trending, lists = [] }: FirstAnswer): [QueryKey, unknown][] {
  const pages = lists.map(({ filters, ...answered }): [QueryKey, unknown] => [
    listingsQuery(filters).queryKey,
    { pages: [readPage(answered)], pageParams: [startCursor] },
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
      // None: this is how a query tells an answer that came with the page from one it asked for.
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

/** Puts what came with a page into the cache, as old as it is. */
export function fillCache(client: QueryClient, answer: FirstAnswer, updatedAt: number): void {
  hydrate(client, { mutations: [], queries: entriesOf(answer).map((entry) => queryWith(entry, updatedAt)) })
}
