import type { Context } from '../context.ts'
import type { Db, ShownListing } from '../db.ts'
import { stretchesFrom, type Browse, type Position, type Stretch } from './browse.ts'
import { countListings, readStretch, type Found, type Selection } from './browse.repo.ts'
import { findMatch } from './find-match.ts'

export interface ListingsPage {
  listings: readonly ShownListing[]
  /** Exact up to 10,000, then `10000+`. */
  total: string
  /** Where the next page begins; null on the last one. */
  next: Position | null
}

const maxTotal = 10_000

/** A page of the active listings that someone looks for. */
export async function findListings({ db }: Context, browse: Browse): Promise<ListingsPage> {
  const { search, filters } = browse
  const match = search === null ? null : await findMatch(db, search)
  if (search !== null && match === null) return { listings: [], total: '0', next: null }
  const selection = { filters, match }
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
