import { readRulesOf } from '../browse/browse.repo.ts'
import { noFilters } from '../browse/filters.ts'
import { matchWords } from '../browse/find-match.ts'
import { readWholeSegment } from '../browse/read-page.ts'
import type { Context } from '../context.ts'
import { correctSearch, spellingsOf } from '../correction/correct-search.ts'
import { hasWordStartingWith, searchTerm } from '../history/search-term.ts'
import type { Session } from '../session.ts'
import { maxTrending } from '../trending/trending-store.ts'
import { categoriesOf } from '../synonyms/expansions.ts'
import { readStems } from '../synonyms/expansions.repo.ts'
import { readCategories } from './categories.repo.ts'
import { suggestionsFrom, type Suggestion } from './suggestion.ts'

// Maximum number of listings that are read: twice the number of suggestions, because several listings can have the same
// title.
const maxListings = 16

/** Returns completions of the typed text: trending terms, categories and listing titles. */
export async function suggest(ctx: Context, typed: string): Promise<Suggestion[]> {
  const { db, trending, readExpansions, estimateMatches } = ctx
  const term = searchTerm(typed)
  const isCompletion = (title: string) => hasWordStartingWith(title, term)
  const expansions = await readExpansions()
  const [searches, categories, stems, listings] = await Promise.all([
    trending.top(maxTrending),
    readCategories(db),
    readStems(db, [typed]),
    findTitles({ db, expansions, estimateMatches }, typed),
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

async function findTitles(session: Session, typed: string): Promise<string[]> {
  for (const spelling of spellingsOf(typed)) {
    const titles = await readTitles(session, spelling)
    if (titles.length > 0) return titles
  }
  const corrected = await correctSearch(session.db, typed, session.expansions)
  return corrected === null ? [] : readTitles(session, corrected)
}

// Reads titles from the newest listings, because ranking by relevance is too expensive for a request per keystroke.
// Synonyms and other alternatives of the typed words are not searched.
async function readTitles(session: Session, search: string): Promise<string[]> {
  const rules = readRulesOf({ sort: 'newest', limit: maxListings })
  const matches = await matchWords({ ...session, expansions: new Map() }, { search, filters: noFilters, ...rules })
  if (!matches?.direct) return []
  const selection = { filters: noFilters, match: matches.direct }
  const found = await readWholeSegment(session.db, selection, { segment: 'newest', after: null, limit: maxListings })
  return found.map(({ row }) => row.body.title)
}
