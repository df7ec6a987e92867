import { categoriesQuery, listingQuery, listingsQuery } from '../api/queries.ts'
import { readFilters } from '../features/home/filters.ts'
import { queryClient } from './query-client.ts'

function alreadyLogged() {}

/** Starts the fetch of the page opened first beside the download of its code; what came with the page is not asked for. */
export function startPage({ pathname, search }: Location): void {
  if (pathname === '/') {
    queryClient.query(categoriesQuery).catch(alreadyLogged)
    queryClient.infiniteQuery(listingsQuery(readFilters(new URLSearchParams(search)))).catch(alreadyLogged)
  }
  const id = /^\/listing\/([^/]+)$/.exec(pathname)?.[1]
  if (id !== undefined) queryClient.query(listingQuery(id)).catch(alreadyLogged)
}
