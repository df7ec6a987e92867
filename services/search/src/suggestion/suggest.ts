import { readRulesOf, readSegment } from '../browse/browse.repo.ts'
import { noFilters } from '../browse/filters.ts'
import { matchWords } from '../browse/find-match.ts'
import type { Context } from '../context.ts'
import { correctSearch, spellingsOf } from '../correction/correct-search.ts'
import type { Db } from '../db.ts'
import { hasWordStartingWith, searchTerm } from '../history/search-term.ts'
import { maxTrending } from '../trending/trending-store.ts'
import { categoriesOf, type Expansions } from '../synonyms/expansions.ts'
import { readStems } from '../synonyms/expansions.repo.ts'
import { readCategories } from './categories.repo.ts'
import { suggestionsFrom, type Suggestion } from './suggestion.ts'

// Maximum number of listings that are read: twice the number of suggestions, because several listings can have the same
// title.
const maxListings = 16

/** Returns completions of the typed text: trending terms, categories and listing titles. */
export async function suggest({ db, trending, readExpansions }: Context, typed: string): Promise<Suggestion[]> {
  const term = searchTerm(typed)
  const isCompletion = (title: string) => hasWordStartingWith(title, term)
  const expansions = await readExpansions()
  const [searches, categories, stems, listings] = await Promise.all([
    trending.top(maxTrending),
    readCategories(db),
    readStems(db, [typed]),
    findTitles(db, typed, expansions),
  ])
  // Categories are also suggested for synonyms of their names.
  const meant = categoriesOf(expansions, stems.get(typed)?.lexemes ?? [])
  return suggestionsFrom({
    searches: searches.filter(isCompletion),
    categories: categories.filter(({ name, slug }) => isCompletion(name) || meant.includes(slug)),
    // Titles in which a word starts with the typed text come first.
    listings: [...listings.filter(isCompletion), ...listings.filter((title) => !isCompletion(title))],
  })
}

async function findTitles(db: Db, typed: string, expansions: Expansions): Promise<string[]> {
  for (const spelling of spellingsOf(typed)) {
    const titles = await readTitles(db, spelling)
    if (titles.length > 0) return titles
  }
  const corrected = await correctSearch(db, typed, expansions)
  return corrected === null ? [] : readTitles(db, corrected)
}

// Reads titles from the newest listings, because ranking by relevance is too expensive for a request per keystroke.
// Synonyms and other alternatives of the typed words are not searched.
async function readTitles(db: Db, search: string): Promise<string[]> {
  const rules = readRulesOf({ sort: 'newest', limit: maxListings })
  const matches = await matchWords(db, { search, filters: noFilters, ...rules }, new Map())
  if (!matches?.direct) return []
  const selection = { filters: noFilters, match: matches.direct }
  const found = await readSegment(db, selection, { segment: 'newest', after: null, limit: maxListings })
  return found.map(({ row }) => row.body.title)
}
