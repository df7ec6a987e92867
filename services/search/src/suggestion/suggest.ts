import { readSegment } from '../browse/browse.repo.ts'
import { readFilters } from '../browse/filters.ts'
import { matchFuzzy, matchWords } from '../browse/find-match.ts'
import type { Match } from '../browse/matches.repo.ts'
import type { Context } from '../context.ts'
import type { Db } from '../db.ts'
import { hasWordStartingWith, searchTerm } from '../history/search-term.ts'
import { maxTrending } from '../trending/trending-store.ts'
import { readCategoryNames } from './categories.repo.ts'
import { suggestionsFrom, type Suggestion } from './suggestion.ts'

const noFilters = readFilters({})

// Maximum number of listings read. It is twice the number of suggestions, because several listings may have the same
// title.
const maxListings = 16

/** Returns completions of the typed text: trending terms, categories and listing titles. */
export async function suggest({ db, trending }: Context, typed: string): Promise<Suggestion[]> {
  const term = searchTerm(typed)
  const isCompletion = (title: string) => hasWordStartingWith(title, term)
  const [searches, categories, listings] = await Promise.all([
    trending.top(maxTrending),
    readCategoryNames(db),
    findTitles(db, typed),
  ])
  return suggestionsFrom({
    searches: searches.filter(isCompletion),
    categories: categories.filter(isCompletion),
    listings,
  })
}

// The titles are read from the newest listings, because ranking by relevance is too expensive for a request per
// keystroke.
async function findTitles(db: Db, typed: string): Promise<string[]> {
  const request = { search: typed, filters: noFilters, limit: maxListings, countLimit: 0 }
  const titles = await readTitles(db, await matchWords(db, request))
  return titles.length > 0 ? titles : readTitles(db, await matchFuzzy(db, request))
}

async function readTitles(db: Db, match: Match | null): Promise<string[]> {
  if (!match) return []
  const selection = { filters: noFilters, match }
  const found = await readSegment(db, selection, { segment: 'newest', after: null, limit: maxListings })
  return found.map(({ row }) => row.body.title)
}
