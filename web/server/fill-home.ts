import type { FirstAnswer, FirstListings } from '../src/api/first-answer.ts'
import type { ListingFilters } from '../src/api/queries.ts'
import type { Category, Listing } from '../src/api/types.ts'
import { hasFilters, readFilters } from '../src/features/home/filters.ts'
import { offersData } from '../src/features/home/offers-data.ts'
import { headOf, pathOf } from '../src/features/home/page-head.ts'
import { railFilters } from '../src/features/home/rails.ts'
import type { Filling, Head } from './filling.ts'
import { readPublic, type Neighbours } from './neighbours.ts'

type Answers = Omit<FirstAnswer, 'at' | 'listing'>

/** Throws when search gives no listings in time; without the rest the page is filled with what came. */
export async function fillHome(params: URLSearchParams, neighbours: Neighbours): Promise<Filling> {
  const filters = readFilters(params)
  const at = new Date()
  const signal = AbortSignal.timeout(neighbours.FILL_TIMEOUT_MS)
  const [lists, categories, trending] = await Promise.all([
    readLists(filters, neighbours.SEARCH_URL, signal),
    orUndefined(read<Category[]>(new URL('/api/categories', neighbours.CATALOG_URL), signal)),
    orUndefined(read<{ search_term: string }[]>(new URL('/api/search/trending', neighbours.SEARCH_URL), signal)),
  ])
  return {
    status: 200,
    head: headFor(filters, { lists, categories }, neighbours.PUBLIC_ORIGIN),
    answer: { at: at.toISOString(), lists, categories, trending },
    isDrawn: lists.length > 0 && categories !== undefined,
  }
}

function headFor(filters: ListingFilters, { lists = [], categories = [] }: Answers, origin: string): Head {
  const listings = lists[0]?.listings ?? []
  return {
    ...headOf(filters, categories),
    canonicalPath: pathOf(filters),
    type: 'website',
    images: listings[0]?.image_urls_parsed ?? [],
    structured: hasFilters(filters) ? null : offersData(listings, origin),
  }
}

// What was searched or filtered for is asked for by the page itself: crawlers try any address, and each would be a search.
async function readLists(filters: ListingFilters, searchUrl: string, signal: AbortSignal): Promise<FirstListings[]> {
  if (hasFilters(filters)) return []
  const list = (some: ListingFilters) => readListings(some, searchUrl, signal)
  const rails = [railFilters.byEnd, railFilters.newest].map((rail) => orUndefined(list(rail)))
  const lists = await Promise.all([list(filters), ...rails])
  return lists.filter((given) => given !== undefined)
}

async function readListings(filters: ListingFilters, searchUrl: string, signal: AbortSignal): Promise<FirstListings> {
  const url = new URL('/api/listings', searchUrl)
  for (const [name, value] of Object.entries(filters)) url.searchParams.set(name, String(value))
  const answer = await readPublic<Listing[]>(url, signal)
  if (answer === null) throw new Error('Search does not know its listings.')
  return {
    filters,
    listings: answer.body,
    total: answer.headers.get('x-total-count'),
    link: answer.headers.get('link'),
  }
}

async function read<Body>(url: URL, signal: AbortSignal): Promise<Body | undefined> {
  return (await readPublic<Body>(url, signal))?.body
}

async function orUndefined<Value>(call: Promise<Value>): Promise<Value | undefined> {
  return call.catch(() => undefined)
}
