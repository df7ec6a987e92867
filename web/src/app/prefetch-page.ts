import { categoriesQuery, listingQuery, listingsQuery } from '../api/queries/queries.ts'
import { readFilters } from '../features/home/filters/filters.ts'
import { queryClient } from './query-client.ts'

function alreadyLogged() {}

/** Fetches the data of the first page, except fresh initial data from the HTML, while the page's code is loading. */
export function prefetchPage({ pathname, search }: Location): void {
  if (pathname === '/') {
    queryClient.query(categoriesQuery).catch(alreadyLogged)
    queryClient.infiniteQuery(listingsQuery(readFilters(new URLSearchParams(search)))).catch(alreadyLogged)
  }
  const id = /^\/listing\/([^/]+)$/.exec(pathname)?.[1]
  if (id !== undefined) queryClient.query(listingQuery(id)).catch(alreadyLogged)
}
