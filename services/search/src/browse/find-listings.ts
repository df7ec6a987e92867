import type { Context } from '../context.ts'
import type { Db, ShownListing } from '../db.ts'
import { recentAnswers } from '../recent-answers.ts'
import { isFiltered, stretchesFrom, type Browse, type Position, type Stretch } from './browse.ts'
import { areAllRanked, countListings, readStretch, wantedBy, type Found, type Selection } from './browse.repo.ts'
import { matchSimilarWords, matchWords } from './find-match.ts'
import { hasMatches, type Match } from './matches.repo.ts'

export interface ListingsPage {
  listings: readonly ShownListing[]
  /** Exact up to 10,000, then `10000+`. */
  total: string
  /** Where the next page begins; null on the last one. */
  next: Position | null
}

type FindListings = (browse: Browse) => Promise<ListingsPage>

const maxTotal = 10_000
// So many more seldom go within a minute; what is not more is counted each time.
const keepManyMs = 60_000
const maxKept = 5000

const nothing: ListingsPage = { listings: [], total: '0', next: null }

/** Finds a page of the active listings that someone looks for: those with every word, else those with words much like them. */
export function listingsFinder({ db }: Context): FindListings {
  const count = recentAnswers(
    maxKept,
    (selection: Selection) => countListings(db, selection, maxTotal + 1),
    (counted) => (counted > maxTotal ? keepManyMs : 0),
  )

  async function read(browse: Browse, match: Match | null): Promise<ListingsPage> {
    const selection = { filters: browse.filters, match }
    const found = await readPage(db, selection, browse)
    const listings = found.slice(0, browse.limit).map(({ row }) => row)
    const next = found.length > browse.limit ? (found[browse.limit - 1]?.position ?? null) : null
    const isAll = next === null && browse.after === null
    const total = isAll ? listings.length : (found[0]?.total ?? (await count(selection)))
    return { listings, total: total > maxTotal ? `${maxTotal}+` : String(total), next }
  }

  return async (browse) => {
    const { search, filters } = browse
    if (search === null) return read(browse, null)
    const wanted = { search, filters, most: wantedBy(browse), counted: maxTotal }
    const match = await matchWords(db, wanted)
    const page = match && (await read(browse, match))
    if (page && page.total !== '0') return page
    // Filters may leave nothing of what the words find: then that is the answer.
    if (page && isFiltered(filters) && (await hasMatches(db, match))) return page
    const similar = await matchSimilarWords(db, wanted)
    return similar ? read(browse, similar) : nothing
  }
}

// One more than the page, if there is one; short of it, a stretch goes on in the next.
async function readPage(db: Db, selection: Selection, browse: Browse): Promise<Found[]> {
  const { sort, after, limit } = browse
  const { match } = selection
  const found: Found[] = []
  for (const stretch of stretchesFrom(sort, after) ?? []) {
    const from = startOf(stretch, found.at(-1)?.position ?? after)
    found.push(...(await readStretch(db, selection, { stretch, after: from, limit: limit + 1 - found.length })))
    if (found.length > limit) break
    if (stretch === 'relevant' && after === null && areAllRanked(match, found)) break
    // A walk may have come to its end before the stretch did; what follows the relevant ones goes on where that was.
    const isUnsure = match !== null && match.walk !== null && stretch !== 'relevant'
    if (isUnsure) return readPage(db, { ...selection, match: { ...match, walk: null } }, browse)
  }
  return found
}

function startOf(stretch: Stretch, last: Position | null): Position | null {
  if (last?.in === stretch) return last
  return stretch === 'beyond-relevant' && last?.in === 'relevant' ? { in: stretch, ...last.oldest } : null
}
