import { categoriesQuery, listingQuery, listingsQuery } from '../api/queries/queries.ts'
import { readFilters } from '../features/home/filters/filters.ts'
import { queryClient } from './query-client.ts'

function alreadyLogged() {}

/** While the first page's code loads, fetches the page's data, unless the HTML contained fresh initial data. */
export function prefetchPage({ pathname, search }: Location): void {
  if (pathname === '/') {
    queryClient.query(categoriesQuery).catch(alreadyLogged)
    queryClient.infiniteQuery(listingsQuery(readFilters(new URLSearchParams(search)))).catch(alreadyLogged)
  }
  const id = /^\/listing\/([^/]+)$/.exec(pathname)?.[1]
  if (id !== undefined) queryClient.query(listingQuery(id)).catch(alreadyLogged)
}
