import { createAdaptiveCache } from '../adaptive-cache.ts'
import type { Context } from '../context.ts'
import { correctSearch, spellingsOf } from '../correction/correct-search.ts'
import type { Browse } from './browse.ts'
import { countListings, readLimit } from './browse.repo.ts'
import { needsWords } from './filters.ts'
import { matchFilters, matchWords, type SearchMatches } from './find-match.ts'
import { readPage } from './read-page.ts'
import type { FoundListing, Selection } from './selection.repo.ts'

export interface ListingsPage {
  /** The rows of the page, followed by the first row of the next page if there is one. */
  rows: readonly FoundListing[]
  /** Number of listings on all pages, as a string: exact up to 10,000, otherwise `10000+`. */
  total: string
  /** The corrected search, if `rows` were found with it instead of with the typed words; otherwise null. */
  corrected: string | null
}

export type FindListings = (browse: Browse) => Promise<ListingsPage>

const maxTotal = 10_000
// How long a count above `maxTotal` is cached. The count is shown as `10000+` and rarely drops below `maxTotal` within
// a minute. Smaller counts are shown exactly, so they are not cached.
const largeCountTtlMs = 60_000
const maxCachedCounts = 5000

const emptyPage: ListingsPage = { rows: [], total: '0', corrected: null }

/**
 * Creates the function that reads a page of active listings. A listing matches if it contains each word of the search
 * or one of the word's alternatives. If no listing matches, misspelled words are corrected and searched instead.
 */
export function createFindListings({ db, readExpansions }: Context): FindListings {
  const count = createAdaptiveCache(
    maxCachedCounts,
    (selection: Selection) => countListings(db, selection, maxTotal + 1),
    (counted) => (counted > maxTotal ? largeCountTtlMs : 0),
  )

  async function read(browse: Browse, matches: SearchMatches | null): Promise<ListingsPage> {
    const rows = await readPage(db, browse, matches)
    const isOnlyPage = rows.length <= browse.limit && browse.after === null
    // With the sort order `relevance`, the total in the rows excludes related matches, so a search that can have
    // related matches is counted with a separate query.
    const counted = matches?.related && browse.sort === 'relevance' ? null : rows[0]?.total
    const selection = { filters: browse.filters, match: matches?.any ?? null }
    const total = isOnlyPage ? rows.length : (counted ?? (await count(selection)))
    return { rows, total: total > maxTotal ? `${maxTotal}+` : String(total), corrected: null }
  }

  return async (browse) => {
    const { search, filters } = browse
    const request = { filters, limit: readLimit(browse), countLimit: maxTotal }
    if (search === null) {
      const match = needsWords(filters) ? await matchFilters(db, request) : null
      return read(browse, match && { direct: match, related: null, any: match })
    }
    const expansions = await readExpansions()
    const find = async (words: string) => {
      const matches = await matchWords(db, { ...request, search: words }, expansions)
      return matches ? read(browse, matches) : emptyPage
    }
    for (const spelling of spellingsOf(search)) {
      const page = await find(spelling)
      if (page.total !== '0') return page
    }
    const corrected = await correctSearch(db, search, expansions)
    if (corrected === null) return emptyPage
    const similar = await find(corrected)
    return similar.total === '0' ? emptyPage : { ...similar, corrected }
  }
}
