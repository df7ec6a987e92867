import type { Db } from '../db.ts'
import { setFilters, type Filters } from './filters.ts'
import type { Match } from './matches.repo.ts'
import { readFuzzyWords, readWords, type Estimate, type SearchWords } from './words.repo.ts'

export interface MatchRequest {
  search: string
  filters: Filters
  /** Number of listings that the caller reads, the first ones in some order. */
  limit: number
  /** Number of matches up to which the caller needs an exact count. */
  countLimit: number
}

/** Returns the match for listings that contain every word of the search; null if the search has no words. */
export async function matchWords(db: Db, { search, filters, ...limits }: MatchRequest): Promise<Match | null> {
  const filterWords = wordsOf(filters)
  const words = await readWords(db, { search, filters: filterWords, countLimit: limits.countLimit })
  if (!words) return null
  const query = and(words.head, words.last)
  const filteredQuery = and(query, filterWords)
  const indexQuery = isPrefixTooCommon(words) ? and(words.head, filterWords) : filteredQuery
  return { query, filteredQuery, indexQuery, scanLimit: scanLimitFor(words, limits) }
}

/**
 * Returns the match for words that are spelled like those of the search. Returns null if a word of the search resembles
 * no known word.
 */
export async function matchFuzzy(db: Db, { search, filters, ...limits }: MatchRequest): Promise<Match | null> {
  const filterWords = wordsOf(filters)
  const words = await readFuzzyWords(db, { search, filters: filterWords, countLimit: limits.countLimit })
  if (!words) return null
  const filteredQuery = and(words.query, filterWords)
  return { query: words.query, filteredQuery, indexQuery: filteredQuery, scanLimit: scanLimitFor(words, limits) }
}

// An ordered scan reads the listings in the requested order until it has `limit` matches: about `limit * listings /
// matching` rows. An index lookup reads all `matching` rows. A row costs about the same in both, so the smaller number
// decides. Up to `countLimit` matches the lookup is always used, because it also counts them. The estimate may be
// wrong, so a scan stops after this many times the expected rows, and the lookup runs instead.
const scanSafetyFactor = 8
function scanLimitFor(
  { matching, listings }: Estimate,
  { limit, countLimit }: Pick<MatchRequest, 'limit' | 'countLimit'>,
): number | null {
  const expected = (limit * listings) / matching
  return matching > countLimit && matching > expected ? Math.ceil(scanSafetyFactor * expected) : null
}

// If this many times more listings contain the prefix than match the other words, the prefix is not looked up in the
// index. Checking the matches of the other words one by one is cheaper.
const commonPrefixFactor = 10
function isPrefixTooCommon({ head_matching: head, last_matching: last }: SearchWords): boolean {
  return head > 0 && last > commonPrefixFactor * head
}

// Returns the index words of the filters: the words that the trigger function add_filter_words stores for a listing.
function wordsOf(filters: Filters): string {
  return and(
    ...setFilters(filters).map(({ inWords, value }) => ('word' in inWords ? `' ${inWords.word} ${value}'` : null)),
  )
}

function and(...queries: (string | null)[]): string {
  return queries
    .filter(Boolean)
    .map((query) => `(${query})`)
    .join(' & ')
}
