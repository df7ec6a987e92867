import type { InitialData, InitialListings } from '../../src/api/hydration/initial-data.ts'
import type { ListingFilters } from '../../src/api/queries/queries.ts'
import type { Category, CardListing } from '../../src/api/client/types.ts'
import { activeFilters } from '../../src/features/home/filters/active-filters.ts'
import { hasFilters, readFilters } from '../../src/features/home/filters/filters.ts'
import { offersData } from '../../src/features/home/results/offers-data.ts'
import { homeHead, canonicalPath } from '../../src/features/home/page-head.ts'
import { buildRails, endingSoon, railFilters } from '../../src/features/home/rails/rails.ts'
import type { RunSearch } from './limit-searches.ts'
import type { PageData, Head } from '../page-data.ts'
import { fetchPublic, type Upstreams } from '../upstreams.ts'

type HomeData = Omit<InitialData, 'at' | 'listing'>

/**
 * Loads the initial data of the home page and leaves out parts that cannot be loaded in time. Throws if the page has no
 * filters and its listings cannot be loaded.
 */
export async function loadHomeData(
  params: URLSearchParams,
  upstreams: Upstreams,
  runSearch: RunSearch,
): Promise<PageData> {
  const filters = readFilters(params)
  const isFiltered = hasFilters(filters)
  const at = new Date()
  const signal = AbortSignal.timeout(upstreams.PRERENDER_TIMEOUT_MS)
  const search = (listFilters: ListingFilters) => readListings(listFilters, upstreams.SEARCH_URL, signal)
  const trendingUrl = new URL('/api/search/trending', upstreams.SEARCH_URL)
  const [lists, categories, trending] = await Promise.all([
    isFiltered ? readResults(() => search(filters), runSearch) : readHomeLists(params, filters, search),
    orUndefined(fetchBody<Category[]>(new URL('/api/categories', upstreams.CATALOG_URL), signal)),
    isFiltered ? undefined : orUndefined(fetchBody<{ search_term: string }[]>(trendingUrl, signal)),
  ])
  return {
    status: 200,
    head: headFor(filters, { lists, categories }, upstreams.PUBLIC_ORIGIN),
    initialData: { at: at.toISOString(), lists, categories, trending },
    canPrerender: lists.length > 0 && categories !== undefined,
  }
}

// Returns whether search engines may index the page. Search results and pages with several filters are excluded,
// because the category pages show the same listings.
function isIndexed(filters: ListingFilters): boolean {
  return filters.search === undefined && activeFilters(filters, []).length <= 1
}

function headFor(filters: ListingFilters, { lists = [], categories = [] }: HomeData, origin: string): Head {
  const listings = lists[0]?.listings ?? []
  return {
    ...homeHead(filters, categories),
    canonicalPath: canonicalPath(filters),
    ...(isIndexed(filters) ? {} : { robots: 'noindex, follow' as const }),
    type: 'website',
    images: listings.slice(0, 1).flatMap(({ picture }) => picture ?? []),
    mainPicture: null,
    structured: hasFilters(filters) ? null : offersData(listings, origin),
  }
}

async function readHomeLists(
  params: URLSearchParams,
  filters: ListingFilters,
  search: (filters: ListingFilters) => Promise<InitialListings>,
): Promise<InitialListings[]> {
  const [first, byEnd, newest] = await Promise.all([
    search(filters),
    orUndefined(search(railFilters.byEnd)),
    orUndefined(search(railFilters.newest)),
  ])
  // Only the list layout shows descriptions.
  const lists = [params.get('view') === 'list' ? first : withoutDescriptions(first)]
  if (byEnd) lists.push(withoutDescriptions(byEnd))
  if (newest) {
    const listings = railListings(byEnd?.listings ?? [], newest.listings)
    lists.push(withoutDescriptions({ ...newest, listings }))
  }
  return lists
}

/** Returns the listings in `newest` that the home page shows in a rail (row of cards). */
function railListings(byEnd: CardListing[], newest: CardListing[]): CardListing[] {
  const now = Date.now()
  const { newToday, freeShipping } = buildRails(newest, endingSoon(byEnd, now), now)
  return [...newToday, ...freeShipping]
}

function withoutDescriptions(list: InitialListings): InitialListings {
  return { ...list, listings: list.listings.map((listing) => ({ ...listing, description: '' })) }
}

async function readResults(read: () => Promise<InitialListings>, runSearch: RunSearch): Promise<InitialListings[]> {
  const list = await orUndefined(runSearch(read))
  return list === undefined ? [] : [list]
}

async function readListings(filters: ListingFilters, searchUrl: string, signal: AbortSignal): Promise<InitialListings> {
  const url = new URL('/api/listings?fields=card', searchUrl)
  for (const [name, value] of Object.entries(filters)) url.searchParams.set(name, String(value))
  const response = await fetchPublic<CardListing[]>(url, signal)
  if (response === null) throw new Error('Search returned 404 for its listings.')
  return {
    filters,
    listings: response.body,
    total: response.headers.get('x-total-count'),
    link: response.headers.get('link'),
    corrected: response.headers.get('x-search-corrected'),
  }
}

async function fetchBody<Body>(url: URL, signal: AbortSignal): Promise<Body | undefined> {
  return (await fetchPublic<Body>(url, signal))?.body
}

async function orUndefined<Value>(call: Promise<Value>): Promise<Value | undefined> {
  return call.catch(() => undefined)
}
