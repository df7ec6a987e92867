import type { Db } from '../db.ts'
import { readListings } from '../estimate/estimates.repo.ts'
import type { Session } from '../session.ts'
import type { Expansions } from '../synonyms/expansions.ts'
import { quoteLexeme } from '../synonyms/quote-lexeme.ts'
import { and, expandQuery, lexemesIn } from '../synonyms/tsquery-text.ts'
import { fewFilters, filterLexemes, type Filters } from './filters.ts'
import type { Match } from './matches.repo.ts'
import { readUnknownLexemes, readWords, type SearchWords } from './words.repo.ts'

export interface MatchRequest {
  search: string
  filters: Filters
  /** Limits and costs that decide between index lookup and ordered scan for direct matches. */
  direct: ReadRule
  /** How related matches are read, alone or together with direct matches. */
  related: ReadRule
}

/** Decides whether matches are read by an index lookup or by an ordered scan. */
export interface ReadRule {
  /** Maximum number of matches that the caller reads, from the beginning of the sort order. */
  limit: number
  /** Number of matches up to which an index lookup is always used. */
  lookupLimit: number
  /** Cost of reading a row in an ordered scan. A row of an index lookup costs 1. */
  scanRowCost: number
}

/**
 * The matches of a search, divided into listings with the typed words and listings with alternatives of these words.
 */
export interface SearchMatches {
  /** Listings that contain every word. Null if one of the words occurs in no listing. */
  direct: Match | null
  /**
   * Listings that match only through alternatives (synonyms or categories) of the words. Null if no word has an
   * alternative.
   */
  related: Match | null
  /** Direct and related matches. */
  any: Match
}

type MatchSession = Pick<Session, 'db' | 'estimateMatches' | 'expansions'>

/** Returns the query for a request with filters but without search words. */
export async function matchFilters(
  { db, estimateMatches }: MatchSession,
  { filters, direct }: Omit<MatchRequest, 'search'>,
): Promise<Match> {
  const query = wordsOf(filters)
  const match = { query: '', direct: '', filteredQuery: query, indexQuery: query }
  if (query === '') return { ...match, scanLimit: null }
  const listings = await readListings(db)
  const estimated = estimatedWordsOf(filters)
  const matching = (await estimateMatches(db, [estimated], listings)).get(estimated) ?? 0
  return { ...match, scanLimit: scanLimitOf(filters, { matching, listings }, direct) }
}

/**
 * Returns the queries for listings that contain each search word or an alternative of it. Returns null if the search
 * has no words or cannot match any listing.
 */
export async function matchWords(
  { db, estimateMatches, expansions }: MatchSession,
  { search, filters, ...rules }: MatchRequest,
): Promise<SearchMatches | null> {
  const words = await readWords(db, search)
  if (!words) return null
  const expanded = await expand(db, words, expansions)
  if (words.is_unknown && expanded === null) return null
  const { head, last, listings } = words
  const query = and(head, last)
  const estimatedFilters = estimatedWordsOf(filters)
  const parts = { all: and(query, estimatedFilters), head: and(head, estimatedFilters), last }
  const expandedParts = expanded === null ? [] : [and(expanded, estimatedFilters)]
  const directParts = words.has_prefix_after_words ? Object.values(parts) : [parts.all]
  const estimates = await estimateMatches(db, [...(words.is_unknown ? [] : directParts), ...expandedParts], listings)
  const estimateOf = (text: string) => estimates.get(text) ?? 0
  const filterWords = wordsOf(filters)
  const filteredQuery = and(query, filterWords)
  const isTooCommon = isPrefixTooCommon(estimateOf(parts.head), estimateOf(parts.last))
  const indexQuery = words.has_prefix_after_words && isTooCommon ? and(head, filterWords) : filteredQuery
  const matching = words.is_unknown ? 0 : estimateOf(parts.all)
  const scanLimit = scanLimitOf(filters, { matching, listings }, rules.direct)
  const direct = words.is_unknown ? null : { query, direct: query, filteredQuery, indexQuery, scanLimit }
  if (expanded === null) return direct && { direct, related: null, any: direct }
  const anyMatching = estimateOf(and(expanded, estimatedFilters))
  const matchFor = (text: string, matching: number): Match => {
    const filtered = and(text, filterWords)
    const limit = scanLimitOf(filters, { matching, listings }, rules.related)
    return { query: text, direct: query, filteredQuery: filtered, indexQuery: filtered, scanLimit: limit }
  }
  const any = matchFor(expanded, anyMatching)
  const others = Math.max(0, anyMatching - matching)
  return { direct, related: direct ? matchFor(`(${expanded}) & !(${query})`, others) : any, any }
}

// Adds the alternatives of the words, except alternatives that no listing contains, because each alternative slows down
// the index lookup.
async function expand(db: Db, { head, last }: SearchWords, expansions: Expansions): Promise<string | null> {
  const all = expandQuery([head, last], expansions)
  if (all === null) return null
  const lexemes = lexemesIn(all).filter((lexeme) => !lexeme.startsWith(' '))
  return expandQuery([head, last], expansions, await readUnknownLexemes(db, lexemes))
}

// An ordered scan reads about `limit * listings / matching` rows to find `limit` matches; an index lookup reads all
// `matching` rows. Up to `lookupLimit` matches, the index lookup is always used, above that the cheaper method.
// The estimates can be wrong, so a scan stops after 8 times the expected number of rows, and an index lookup follows.
const scanSafetyFactor = 8
function scanLimitOf(
  filters: Filters,
  { matching, listings }: { matching: number; listings: number },
  { limit, lookupLimit, scanRowCost }: ReadRule,
): number | null {
  if (fewFilters(filters).length > 0) return null
  const expected = (limit * listings) / matching
  const isScanFaster = matching > expected * scanRowCost
  return matching > lookupLimit && isScanFaster ? Math.ceil(scanSafetyFactor * expected) : null
}

// A prefix is too common for an index lookup if it occurs in over 10 times as many listings as the other search words.
const commonPrefixFactor = 10
function isPrefixTooCommon(headMatching: number, lastMatching: number): boolean {
  return headMatching > 0 && lastMatching > commonPrefixFactor * headMatching
}

// Returns the tsquery for the filters' lexemes, which the trigger `add_filter_words` stores with each listing.
function wordsOf(filters: Filters): string {
  return and(...filterLexemes(filters).map(quoteLexeme))
}

// Returns the tsquery for estimates with only the rarest word of a location; with all its words, the planner estimates
// too few matches.
function estimatedWordsOf(filters: Filters): string {
  return wordsOf({ ...filters, places: filters.places?.slice(0, 1) ?? null })
}
