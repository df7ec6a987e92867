import { createAdaptiveCache } from '../adaptive-cache.ts'
import type { Context } from '../context.ts'
import type { Db } from '../db.ts'
import { isFiltered, segmentsFrom, type Browse, type Position, type Segment } from './browse.ts'
import { areAllRanked, countListings, readLimit, readSegment } from './browse.repo.ts'
import { matchFuzzy, matchWords } from './find-match.ts'
import { hasMatches, type Match } from './matches.repo.ts'
import type { FoundListing, Selection } from './selection.repo.ts'

export interface ListingsPage {
  /** The rows of the page, followed by the first row of the next page if there is one. */
  rows: readonly FoundListing[]
  /** Number of listings on all pages as text: exact up to 10,000, otherwise `10000+`. */
  total: string
}

type FindListings = (browse: Browse) => Promise<ListingsPage>

const maxTotal = 10_000
// How long a count above `maxTotal` is cached. It is shown as `10000+` and rarely drops below the limit within a
// minute. Smaller counts are not cached, because they are shown exactly.
const largeCountTtlMs = 60_000
const maxCachedCounts = 5000

const emptyPage: ListingsPage = { rows: [], total: '0' }

/**
 * Creates the search for a page of active listings. A listing matches if it contains every word; if there are no such
 * listings, similarly spelled words are searched.
 */
export function createFindListings({ db }: Context): FindListings {
  const count = createAdaptiveCache(
    maxCachedCounts,
    (selection: Selection) => countListings(db, selection, maxTotal + 1),
    (counted) => (counted > maxTotal ? largeCountTtlMs : 0),
  )

  async function read(browse: Browse, match: Match | null): Promise<ListingsPage> {
    const selection = { filters: browse.filters, match }
    const rows = await readPage(db, selection, browse)
    const isOnlyPage = rows.length <= browse.limit && browse.after === null
    const total = isOnlyPage ? rows.length : (rows[0]?.total ?? (await count(selection)))
    return { rows, total: total > maxTotal ? `${maxTotal}+` : String(total) }
  }

  return async (browse) => {
    const { search, filters } = browse
    if (search === null) return read(browse, null)
    const request = { search, filters, limit: readLimit(browse), countLimit: maxTotal }
    const match = await matchWords(db, request)
    const page = match && (await read(browse, match))
    if (page && page.total !== '0') return page
    // If there are matches without the filters, the words are spelled correctly, and the empty page is the result.
    if (page && isFiltered(filters) && (await hasMatches(db, match))) return page
    const fuzzyMatch = await matchFuzzy(db, request)
    return fuzzyMatch ? read(browse, fuzzyMatch) : emptyPage
  }
}

// Reads one listing more than the page holds, which shows whether a next page exists. A page may span several segments.
async function readPage(db: Db, selection: Selection, browse: Browse): Promise<FoundListing[]> {
  const { sort, after, limit } = browse
  const { match } = selection
  const found: FoundListing[] = []
  for (const segment of segmentsFrom(sort, after) ?? []) {
    const from = startOf(segment, found.at(-1)?.position ?? after)
    found.push(...(await readSegment(db, selection, { segment, after: from, limit: limit + 1 - found.length })))
    if (found.length > limit) break
    if (segment === 'relevant' && after === null && areAllRanked(match, found)) break
    // An ordered scan stops at its row limit and may have missed matches, so the page is read again by index lookup.
    // That is not necessary for the segment `relevant`, because the segment `beyond-relevant` continues where the scan
    // stopped.
    const mayBeIncomplete = match !== null && match.scanLimit !== null && segment !== 'relevant'
    if (mayBeIncomplete) return readPage(db, { ...selection, match: { ...match, scanLimit: null } }, browse)
  }
  return found
}

function startOf(segment: Segment, last: Position | null): Position | null {
  if (last?.in === segment) return last
  return segment === 'beyond-relevant' && last?.in === 'relevant' ? { in: segment, ...last.oldest } : null
}
