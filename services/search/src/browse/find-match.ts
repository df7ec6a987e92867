import type { Db } from '../db.ts'
import type { Expansions } from '../synonyms/expansions.ts'
import { quoteLexeme } from '../synonyms/quote-lexeme.ts'
import { and, expandQuery } from '../synonyms/tsquery-text.ts'
import { fewFilters, filterLexemes, type Filters } from './filters.ts'
import type { Match } from './matches.repo.ts'
import { readEstimates, readWords, type Estimate, type SearchWords } from './words.repo.ts'

export interface MatchRequest {
  search: string
  filters: Filters
  /** The caller reads only the first `limit` matches of the sort order. */
  limit: number
  /** The caller needs an exact count of the matches if there are at most this many. */
  countLimit: number
}

/** The matches of a search, divided by whether a listing has the words themselves. */
export interface SearchMatches {
  /** Listings that contain every word. */
  direct: Match
  /** Listings that contain only alternatives of a word: synonyms or a category. Null if no word has an alternative. */
  related: Match | null
  /** All listings of both kinds. */
  any: Match
}

/** Returns the query for the listings that match the filters, without search words. */
export async function matchFilters(db: Db, { filters, ...limits }: Omit<MatchRequest, 'search'>): Promise<Match> {
  const query = wordsOf(filters)
  const [estimated] = query === '' ? [] : await readEstimates(db, [query], limits.countLimit)
  const scanLimit = estimated ? scanLimitOf(filters, estimated.estimate, limits) : null
  return { query: '', direct: '', filteredQuery: query, indexQuery: query, scanLimit }
}

/**
 * Returns the queries for the listings that match every word of the search, by the word itself or by one of its
 * alternatives. Returns null if the search has no words.
 */
export async function matchWords(
  db: Db,
  { search, filters, ...limits }: MatchRequest,
  expansions: Expansions,
): Promise<SearchMatches | null> {
  const filterWords = wordsOf(filters)
  const words = await readWords(db, { search, filters: filterWords, countLimit: limits.countLimit })
  if (!words) return null
  const query = and(words.head, words.last)
  const filteredQuery = and(query, filterWords)
  const indexQuery = isPrefixTooCommon(words) ? and(words.head, filterWords) : filteredQuery
  const scanLimit = scanLimitOf(filters, words, limits)
  const direct = { query, direct: query, filteredQuery, indexQuery, scanLimit }
  const expanded = expandQuery(query, expansions)
  if (expanded === query) return { direct, related: null, any: direct }
  const queries = { any: expanded, related: `(${expanded}) & !(${query})` }
  const estimates = await readEstimates(
    db,
    Object.values(queries).map((text) => and(text, filterWords)),
    limits.countLimit,
  )
  const matchFor = (text: string): Match => {
    const filtered = and(text, filterWords)
    const estimate = estimates.find((one) => one.query === filtered)?.estimate ?? { matching: 0, listings: 0 }
    const limit = scanLimitOf(filters, estimate, limits)
    return { query: text, direct: query, filteredQuery: filtered, indexQuery: filtered, scanLimit: limit }
  }
  return { direct, related: matchFor(queries.related), any: matchFor(queries.any) }
}

// An ordered scan stops after this many times the expected number of rows, because the estimate may be wrong; an index
// lookup then follows. The scan reads listings in the requested order until it has `limit` matches: about `limit *
// listings / matching` rows. An index lookup reads all `matching` rows. A row costs about the same in both, so the
// smaller number decides. Up to `countLimit` matches, the index lookup is always used, because it also counts the
// matches.
const scanSafetyFactor = 8
function scanLimitOf(
  filters: Filters,
  { matching, listings }: Estimate,
  { limit, countLimit }: Pick<MatchRequest, 'limit' | 'countLimit'>,
): number | null {
  if (fewFilters(filters).length > 0) return null
  const expected = (limit * listings) / matching
  return matching > countLimit && matching > expected ? Math.ceil(scanSafetyFactor * expected) : null
}

// A prefix is too common for an index lookup if it occurs in more than 10 times as many listings as the other words of the
// search do. Checking the listings with the other words one by one is then cheaper.
const commonPrefixFactor = 10
function isPrefixTooCommon({ head_matching: head, last_matching: last }: SearchWords): boolean {
  return head > 0 && last > commonPrefixFactor * head
}

// Returns the tsquery for the words that the trigger function `add_filter_words` stores for the filters of a listing.
function wordsOf(filters: Filters): string {
  return and(...filterLexemes(filters).map(quoteLexeme))
}
