import type { Context } from '../context.ts'
import type { Db, ShownListing } from '../db.ts'
import { isFiltered, stretchesFrom, type Browse, type Position, type Stretch } from './browse.ts'
import { countListings, readStretch, type Found, type Selection } from './browse.repo.ts'
import { matchSimilarWords, matchWords } from './find-match.ts'
import { hasMatches, type Match } from './matches.repo.ts'

export interface ListingsPage {
  listings: readonly ShownListing[]
  /** Exact up to 10,000, then `10000+`. */
  total: string
  /** Where the next page begins; null on the last one. */
  next: Position | null
}

const maxTotal = 10_000

const nothing: ListingsPage = { listings: [], total: '0', next: null }

/** A page of the active listings that someone looks for: those with every word, else those with words much like them. */
export async function findListings({ db }: Context, browse: Browse): Promise<ListingsPage> {
  const { search, filters } = browse
  if (search === null) return readListings(db, browse, null)
  const match = await matchWords(db, search)
  const page = match && (await readListings(db, browse, match))
  if (page && page.total !== '0') return page
  // Filters may leave nothing of what the words find: then that is the answer.
  if (page && isFiltered(filters) && (await hasMatches(db, match))) return page
  const similar = await matchSimilarWords(db, search)
  return similar ? readListings(db, browse, similar) : nothing
}

async function readListings(db: Db, browse: Browse, match: Match | null): Promise<ListingsPage> {
  const selection = { filters: browse.filters, match }
  const [count, found] = await Promise.all([
    countListings(db, selection, maxTotal + 1),
    readPage(db, selection, browse),
  ])
  const page = found.slice(0, browse.limit)
  return {
    listings: page.map(({ row }) => row),
    total: count > maxTotal ? `${maxTotal}+` : String(count),
    next: found.length > page.length ? (page.at(-1)?.position ?? null) : null,
  }
}

// One more than the page, if there is one; short of it, a stretch goes on in the next.
async function readPage(db: Db, selection: Selection, { sort, after, limit }: Browse): Promise<Found[]> {
  const found: Found[] = []
  for (const stretch of stretchesFrom(sort, after) ?? []) {
    const from = startOf(stretch, found.at(-1)?.position ?? after)
    found.push(...(await readStretch(db, selection, { stretch, after: from, limit: limit + 1 - found.length })))
    if (found.length > limit) break
  }
  return found
}

function startOf(stretch: Stretch, last: Position | null): Position | null {
  if (last?.in === stretch) return last
  return stretch === 'beyond-relevant' && last?.in === 'relevant' ? { in: stretch, ...last.oldest } : null
}
