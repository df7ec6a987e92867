import { readStretch } from '../browse/browse.repo.ts'
import { matchSimilarWords, matchWords } from '../browse/find-match.ts'
import type { Match } from '../browse/matches.repo.ts'
import type { Context } from '../context.ts'
import type { Db } from '../db.ts'
import { hasWordLike, searchTerm } from '../history/search-term.ts'
import { maxTrending } from '../trending/trending-store.ts'
import { readCategoryNames } from './categories.repo.ts'
import { suggestionsFrom, type Suggestion } from './suggestion.ts'

const anyFilter = { category: null, condition: null, minPrice: null, maxPrice: null }

// Some to spare: titles repeat.
const maxListings = 16

/** What someone may mean who typed this so far. */
export async function suggest({ db, trending }: Context, typed: string): Promise<Suggestion[]> {
  const term = searchTerm(typed)
  const isLike = (title: string) => hasWordLike(title, term)
  const [searches, categories, listings] = await Promise.all([
    trending.top(maxTrending),
    readCategoryNames(db),
    findTitles(db, typed),
  ])
  return suggestionsFrom({ searches: searches.filter(isLike), categories: categories.filter(isLike), listings })
}

// The newest, since ranking costs more than a keystroke is worth.
async function findTitles(db: Db, typed: string): Promise<string[]> {
  const wanted = { search: typed, filters: anyFilter, most: maxListings, counted: 0 }
  const titles = await readTitles(db, await matchWords(db, wanted))
  return titles.length > 0 ? titles : readTitles(db, await matchSimilarWords(db, wanted))
}

async function readTitles(db: Db, match: Match | null): Promise<string[]> {
  if (!match) return []
  const selection = { filters: anyFilter, match }
  const found = await readStretch(db, selection, { stretch: 'newest', after: null, limit: maxListings })
  return found.map(({ row }) => row.title)
}
