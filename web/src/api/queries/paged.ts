import { infiniteQueryOptions, queryOptions, type InfiniteData } from '@tanstack/react-query'
import { callApi } from '../client/http.ts'
import { pollInterval } from './retry-interval.ts'

/** Cursor of the first page. */
export const startCursor: string | null = null

export interface ListPage<Item> {
  items: Item[]
  /** Cursor of the next page; null on the last page. */
  nextCursor: string | null
  /**
   * Number of rows in the whole list, from the header `X-Total-Count`. Exact up to 10,000, otherwise `10000+`. Null if
   * the header is missing.
   */
  total: string | null
  /**
   * Number of active listings in the whole list, from the header `X-Active-Count`. Exact up to 10,000, otherwise
   * `10000+`. Null if the header is missing.
   */
  activeTotal: string | null
  /** The corrected search term, from the header `X-Search-Corrected`. Null if the server did not correct the term. */
  corrected: string | null
}

/** The loaded pages of a list. */
export interface PagedList<Item> {
  items: Item[]
  total: string | null
  activeTotal: string | null
  corrected: string | null
  pageCount: number
  /** Number of items that the last page added. */
  lastPageSize: number
}

type Pages<Item> = InfiniteData<ListPage<Item>>

/** Returns the cursor in the header `Link: <…?cursor=…>; rel="next"`, or null on the last page. */
export function nextCursor(linkHeader: string | null): string | null {
  const target = /<([^>]*)>\s*;[^,]*\brel="?next"?/.exec(linkHeader ?? '')?.[1]
  return target === undefined ? null : new URL(target, 'http://localhost').searchParams.get('cursor')
}

/** Decodes the header `X-Search-Corrected`. Returns null if the header is missing. */
export function readCorrection(header: string | null): string | null {
  return header === null ? null : decodeURIComponent(header)
}

/** Requests one page of a list. If the response has no `Link` header, the page is the last one. */
export async function fetchPage<Item>(path: string, query: Record<string, string> = {}): Promise<ListPage<Item>> {
  const search = new URLSearchParams(query).toString()
  const response = await callApi(new Request(search === '' ? path : `${path}?${search}`))
  const items: Item[] = await response.json()
  const { headers } = response
  return {
    items,
    nextCursor: nextCursor(headers.get('link')),
    total: headers.get('x-total-count'),
    activeTotal: headers.get('x-active-count'),
    corrected: readCorrection(headers.get('x-search-corrected')),
  }
}

/**
 * Joins the loaded pages into one list. A row can be on two pages if it moved between the requests; it then appears
 * once, at its first position.
 */
export function toPagedList<Item extends { id: string }>({ pages }: Pages<Item>): PagedList<Item> {
  const byId = new Map<string, Item>()
  for (const item of pages.flatMap((page) => page.items)) if (!byId.has(item.id)) byId.set(item.id, item)
  return {
    items: [...byId.values()],
    total: pages[0]?.total ?? null,
    activeTotal: pages[0]?.activeTotal ?? null,
    corrected: pages[0]?.corrected ?? null,
    pageCount: pages.length,
    lastPageSize: pages.at(-1)?.items.length ?? 0,
  }
}

/** Applies `change` to the rows of each cached page. */
export function mapPages<Item>(
  cached: Pages<Item> | undefined,
  change: (items: Item[], page: number) => Item[],
): Pages<Item> | undefined {
  return cached && { ...cached, pages: cached.pages.map((page, at) => ({ ...page, items: change(page.items, at) })) }
}

interface PagedOptions<Item> {
  queryKey: readonly string[]
  load: (query: Record<string, string>) => Promise<ListPage<Item>>
  /** Text that is logged if a request fails. */
  failure: string
}

export function pagedQuery<Item extends { id: string }>({ queryKey, load, failure }: PagedOptions<Item>) {
  return infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam }) => load(pageParam === null ? {} : { cursor: pageParam }),
    initialPageParam: startCursor,
    getNextPageParam: (page) => page.nextCursor,
    select: toPagedList<Item>,
    meta: { failure },
  })
}

/**
 * Merges the newest rows into the first cached page. If none of them is on that page, all cached rows are dropped,
 * because rows in between can be missing.
 */
export function mergeNewest<Item extends { id: string }>(
  cached: Pages<Item> | undefined,
  newest: ListPage<Item>,
): Pages<Item> | undefined {
  const [first, ...others] = cached?.pages ?? []
  if (cached === undefined || first === undefined) return cached
  const newIds = new Set(newest.items.map(({ id }) => id))
  const firstKnown = first.items.findIndex(({ id }) => newIds.has(id))
  if (firstKnown === -1) return { pages: [newest], pageParams: [startCursor] }
  const items = [
    // Cached rows that are not in `newest` yet, such as a message that is still being sent.
    ...first.items.slice(0, firstKnown),
    ...newest.items,
    ...first.items.slice(firstKnown).filter(({ id }) => !newIds.has(id)),
  ]
  return { ...cached, pages: [{ ...first, items }, ...others] }
}

interface NewestOptions<Item> extends PagedOptions<Item> {
  pollMs: number
  /** Number of rows that a poll requests. If undefined, the server's default page size applies. */
  limit?: number
}

/** Polls the newest rows of a list and merges them into the pages that pagedQuery has cached. */
export function newestQuery<Item extends { id: string }>({ limit, pollMs, ...list }: NewestOptions<Item>) {
  const { queryKey } = pagedQuery(list)
  return queryOptions({
    queryKey: [...list.queryKey, 'newest'],
    queryFn: async ({ client }) => {
      const newest = await list.load(limit === undefined ? {} : { limit: String(limit) })
      client.setQueryData(queryKey, (cached) => mergeNewest(cached, newest))
      return newest.items.length
    },
    // This query does not fetch on mount, because pagedQuery already loads the newest rows.
    initialData: 0,
    staleTime: 'static',
    refetchInterval: pollInterval(pollMs),
    meta: { failure: list.failure },
  })
}
