import type { TimePosition } from '@marketplace/kit/db/time-order.ts'
import { maxTotal } from '@marketplace/kit/http/paging.ts'
import type { Db } from '../db.ts'
import { readListed, type ListedPage } from '../listing/read-listing.ts'
import { countWatchlistEntries, findListingsContaining, findWatchlistEntries } from './watchlist.repo.ts'

export interface WatchlistQuery {
  userId: string
  /** Selects listings whose title or description contains this text, ignoring case. Null selects all listings. */
  search: string | null
  after: TimePosition | null
  /** Maximum number of rows. */
  limit: number
}

export interface WatchlistPage extends ListedPage {
  /** Number of entries on all pages, counted up to `maxTotal + 1`. */
  total: number
}

/** Reads a page of a user's watchlist, most recently added listing first. */
export async function readWatchlist(db: Db, query: WatchlistQuery): Promise<WatchlistPage> {
  const { search, ...page } = query
  const { entries, total } = await (search === null ? readEntries(db, page) : searchEntries(db, page, search))
  return { ...(await readListed(db, entries)), total }
}

type EntriesQuery = Omit<WatchlistQuery, 'search'>

interface EntriesPage {
  entries: TimePosition[]
  total: number
}

async function readEntries(db: Db, query: EntriesQuery): Promise<EntriesPage> {
  const [entries, total] = await Promise.all([
    findWatchlistEntries(db, query),
    countWatchlistEntries(db, query.userId, maxTotal + 1),
  ])
  return { entries, total }
}

// Searches only the listings on the user's watchlist, at most `maxTotal + 1` of them.
async function searchEntries(db: Db, { userId, after, limit }: EntriesQuery, search: string): Promise<EntriesPage> {
  const all = await findWatchlistEntries(db, { userId, after: null, limit: maxTotal + 1 })
  const matching = await findListingsContaining(
    db,
    all.map(({ id }) => id),
    search,
  )
  const found = all.filter(({ id }) => matching.has(id))
  const rest = after === null ? found : found.filter((entry) => comesAfter(entry, after))
  return { entries: rest.slice(0, limit), total: found.length }
}

// The times are strings in a format whose alphabetical order is also chronological.
function comesAfter(entry: TimePosition, { at, id }: TimePosition): boolean {
  return entry.at < at || (entry.at === at && entry.id < id)
}
