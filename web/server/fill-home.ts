import type { FirstAnswer, FirstListings } from '../src/api/first-answer.ts'
import type { ListingFilters } from '../src/api/queries.ts'
import type { Category, Listing } from '../src/api/types.ts'
import { hasFilters, readFilters } from '../src/features/home/filters.ts'
import { offersData } from '../src/features/home/offers-data.ts'
import { headOf, pathOf } from '../src/features/home/page-head.ts'
import { railFilters } from '../src/features/home/rails.ts'
import type { Filling } from './filling.ts'
import { readPublic, type Neighbours } from './neighbours.ts'

type Answers = Required<Pick<FirstAnswer, 'lists'>> & Pick<FirstAnswer, 'categories' | 'trending'>

/** Throws when search gives no listings in time; without the rest the page is filled with what came. */
export async function fillHome(params: URLSearchParams, neighbours: Neighbours): Promise<Filling> {
  const filters = readFilters(params)
  const at = new Date()
  const answers = await readAnswers(filters, neighbours)
  const listings = answers.lists[0]?.listings ?? []
  return {
    status: 200,
    head: {
      ...headOf(filters, answers.categories ?? []),
      canonicalPath: pathOf(filters),
      type: 'website',
      images: listings[0]?.image_urls_parsed ?? [],
      structured: offersData(listings, neighbours.PUBLIC_ORIGIN),
    },
    answer: { at: at.toISOString(), ...answers },
  }
}

async function readAnswers(
  filters: ListingFilters,
  { CATALOG_URL, SEARCH_URL, ...rest }: Neighbours,
): Promise<Answers> {
  const signal = AbortSignal.timeout(rest.FILL_TIMEOUT_MS)
  const isPlainHome = !hasFilters(filters)
  const list = (some: ListingFilters) => readListings(some, SEARCH_URL, signal)
  const [results, byEnd, newest, categories, trending] = await Promise.all([
    list(filters),
    isPlainHome ? orUndefined(list(railFilters.byEnd)) : undefined,
    isPlainHome ? orUndefined(list(railFilters.newest)) : undefined,
    orUndefined(read<Category[]>(new URL('/api/categories', CATALOG_URL), signal)),
    isPlainHome
      ? orUndefined(read<{ search_term: string }[]>(new URL('/api/search/trending', SEARCH_URL), signal))
      : undefined,
  ])
  return { lists: [results, byEnd, newest].filter((given) => given !== undefined), categories, trending }
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
