import { hashKey, hydrate, type QueryClient, type QueryKey } from '@tanstack/react-query'
import { firstAnswerId, type FirstAnswer } from '../api/first-answer.ts'
import { categoriesQuery, listingQuery, listingsQuery, readPage, startCursor } from '../api/queries.ts'
import { trendingQuery } from '../api/search.ts'
import { noteServerTime } from '../api/server-clock.ts'

type Arrival = { askedAt: number; arrivedAt: number }

/** When this document came; null when it is out of a cache, and what it says old. */
function arrivalOf(navigation: PerformanceEntry | undefined): Arrival | null {
  if (!(navigation instanceof PerformanceNavigationTiming)) return null
  const { type, transferSize, requestStart, responseStart } = navigation
  if (type === 'back_forward' || transferSize === 0) return null
  return { askedAt: performance.timeOrigin + requestStart, arrivedAt: performance.timeOrigin + responseStart }
}

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

/** Puts what web's server sent along with the page into the cache, as old as it is, and takes the server's time from it. */
export function takeFirstAnswer(client: QueryClient): void {
  const element = document.getElementById(firstAnswerId)
  // The page draws structured data of its own.
  document.querySelector('script[data-filled]')?.remove()
  element?.remove()
  const arrival = arrivalOf(performance.getEntriesByType('navigation')[0])
  if (!element?.textContent || arrival === null) return
  const answer: FirstAnswer = JSON.parse(element.textContent)
  noteServerTime(answer.at, arrival.askedAt, arrival.arrivedAt)
  hydrate(client, { mutations: [], queries: entriesOf(answer).map((entry) => queryWith(entry, arrival.arrivedAt)) })
}
