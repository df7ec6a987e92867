import { correctSearch, spellingsOf } from '../correction/correct-search.ts'
import type { Db } from '../db.ts'
import { createRefreshedCache } from '../refreshed-cache.ts'
import type { Session } from '../session.ts'
import type { Browse } from './browse.ts'
import { countListings, readRulesOf } from './browse.repo.ts'
import { needsWords, type Filters } from './filters.ts'
import { matchFilters, matchWords, type MatchRequest, type SearchMatches } from './find-match.ts'
import { knownTotal, type PartialTotal } from './known-total.ts'
import type { Match } from './matches.repo.ts'
import { readPage } from './read-page.ts'
import type { FoundListing, Selection } from './selection.repo.ts'

export interface ListingsPage {
  /** The rows of the page, followed by the first row of the next page if there is one. */
  rows: readonly FoundListing[]
  /** Number of listings on all pages, as a string: exact up to 10,000, otherwise `10000+`. */
  total: string
  /** The corrected search that found `rows`, or null if the search was not corrected. */
  corrected: string | null
}

export interface FindListings {
  /** Reads a page of active listings. */
  findPage: (session: Session, browse: Browse) => Promise<ListingsPage>
  /** Returns the number of listings that match the search and the filters, in the format of `ListingsPage.total`. */
  findTotal: (session: Session, request: { search: string | null; filters: Filters }) => Promise<string>
}

const maxTotal = 10_000
// Smallest number of matches whose count is cached, because counting many matches is slow.
const minCached = 1000
// Age at which a cached total is recounted in the background; the total is used for up to twice this time.
const freshMs = 30_000
// Age at which a cached total above `maxTotal`, which is shown as `10000+`, is recounted.
const largeFreshMs = 60_000
const maxCachedCounts = 5000

const countOnly = { limit: 1, lookupLimit: maxTotal, scanRowCost: 1 }

const emptyPage: ListingsPage = { rows: [], total: '0', corrected: null }

/**
 * Creates the functions that find active listings. A listing matches if it contains each search word or an alternative
 * of it; if no listing matches, misspelled words are corrected. `pool` is used only to refresh cached totals; other
 * queries use the connection of the session.
 */
export function createFindListings(pool: Db): FindListings {
  const count = createCount(pool)

  async function complete(db: Db, { counted, uncounted }: PartialTotal, filters: Filters): Promise<string> {
    if (uncounted === null) return toTotal(counted)
    // `scanLimit` must not be part of the cache key, because the total does not depend on it.
    const match = uncounted.match && { ...uncounted.match, scanLimit: null }
    return toTotal(counted + (await count({ filters, match }, db)))
  }

  /**
   * Calls `find` with the matches of the typed words, or of the corrected words if the typed words have no matches.
   * Without search words, calls `find` with the matches of the filters.
   */
  async function search(
    session: Session,
    { search, ...request }: Omit<MatchRequest, 'search'> & { search: string | null },
    find: (matches: SearchMatches | null) => Promise<ListingsPage>,
  ): Promise<ListingsPage> {
    if (search === null) {
      const match = needsWords(request.filters) ? await matchFilters(session, request) : null
      return find(match && { direct: match, related: null, any: match })
    }
    const findWords = async (words: string) => {
      const matches = await matchWords(session, { ...request, search: words })
      return matches ? find(matches) : emptyPage
    }
    for (const spelling of spellingsOf(search)) {
      const page = await findWords(spelling)
      if (page.total !== '0') return page
    }
    const corrected = await correctSearch(session.db, search, session.expansions)
    if (corrected === null) return emptyPage
    const similar = await findWords(corrected)
    return similar.total === '0' ? emptyPage : { ...similar, corrected }
  }

  return {
    findPage: (session, browse) =>
      search(session, { search: browse.search, filters: browse.filters, ...readRulesOf(browse) }, async (matches) => {
        const rows = await readPage(session.db, browse, matches)
        return {
          rows,
          total: await complete(session.db, knownTotal(browse, matches, rows), browse.filters),
          corrected: null,
        }
      }),
    async findTotal(session, request) {
      const { total } = await search(
        session,
        { ...request, direct: countOnly, related: countOnly },
        async (matches) => ({
          ...emptyPage,
          total: await complete(
            session.db,
            { counted: 0, uncounted: { match: matches && matches.any } },
            request.filters,
          ),
        }),
      )
      return total
    },
  }
}

function createCount(pool: Db): (selection: Selection, db: Db) => Promise<number> {
  return createRefreshedCache({
    max: maxCachedCounts,
    compute: (selection, db) => countListings(db, selection, maxTotal + 1),
    freshMs: (counted, { match }) => freshMsOf(counted, match),
    inBackground: (use) => pool.connection().execute(use),
  })
}

function freshMsOf(counted: number, match: Match | null): number {
  if (counted > maxTotal) return largeFreshMs
  return match && counted >= minCached ? freshMs : 0
}

function toTotal(count: number): string {
  return count > maxTotal ? `${maxTotal}+` : String(count)
}
