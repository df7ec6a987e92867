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
// How long a count above `maxTotal` is cached. The count is shown as `10000+` and rarely drops below `maxTotal` within
// a minute. Smaller counts are shown exactly, so they are not cached.
const largeCountTtlMs = 60_000
const maxCachedCounts = 5000

const emptyPage: ListingsPage = { rows: [], total: '0' }

/**
 * Creates the search for a page of active listings. A listing matches if it contains every word of the search. If no
 * listing matches, similarly spelled words are searched.
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
    // Nothing was found. If listings match the words without the filters, the words are spelled correctly, so the empty
    // page is returned. Otherwise, similar words are tried.
    if (page && isFiltered(filters) && (await hasMatches(db, match))) return page
    const fuzzyMatch = await matchFuzzy(db, request)
    return fuzzyMatch ? read(browse, fuzzyMatch) : emptyPage
  }
}

// Reads one listing more than the page holds, to find out whether there is a next page. A page may start in one segment
// (part of the sort order) and continue in the next segment.
async function readPage(db: Db, selection: Selection, browse: Browse): Promise<FoundListing[]> {
  const { sort, after, limit } = browse
  const { match } = selection
  const found: FoundListing[] = []
  for (const segment of segmentsFrom(sort, after) ?? []) {
    const from = startOf(segment, found.at(-1)?.position ?? after)
    found.push(...(await readSegment(db, selection, { segment, after: from, limit: limit + 1 - found.length })))
    if (found.length > limit) break
    if (segment === 'relevant' && after === null && areAllRanked(match, found)) break
    // True if the page may lack matches and is therefore read again through the word index. An ordered scan, which
    // reads listings in sort order and checks each, stops after `scanLimit` rows and may miss matches. After the
    // segment `relevant` (the newest matches, ordered by relevance) nothing is missing, because the next segment
    // continues where the scan stopped.
    const mayBeIncomplete = match !== null && match.scanLimit !== null && segment !== 'relevant'
    if (mayBeIncomplete) return readPage(db, { ...selection, match: { ...match, scanLimit: null } }, browse)
  }
  return found
}

function startOf(segment: Segment, last: Position | null): Position | null {
  if (last?.in === segment) return last
  return segment === 'beyond-relevant' && last?.in === 'relevant' ? { in: segment, ...last.oldest } : null
}
