import type { Db } from '../db.ts'
import type { Filters } from './browse.ts'
import type { Match } from './matches.repo.ts'
import { readSimilarWords, readWords, type Estimate, type Words } from './words.repo.ts'

export interface Wanted {
  search: string
  filters: Pick<Filters, 'category' | 'condition'>
  /** How many matches are wanted, the first in some order. */
  most: number
  /** Up to how many are counted besides. */
  counted: number
}

/** The listings with every word of a search; null where it has no words. Whether there are any, looking tells. */
export async function matchWords(db: Db, { search, filters, ...wanted }: Wanted): Promise<Match | null> {
  const filterWords = wordsOf(filters)
  const words = await readWords(db, { search, filters: filterWords, counted: wanted.counted })
  if (!words) return null
  const query = and(words.head, words.last)
  const filtered = and(query, filterWords)
  const lookup = isLastTooCommon(words) ? and(words.head, filterWords) : filtered
  return { query, filtered, lookup, walk: walkFor(words, wanted) }
}

/** The listings with words much like those of a search; null where a word is like no other. */
export async function matchSimilarWords(db: Db, { search, filters, ...wanted }: Wanted): Promise<Match | null> {
  const filterWords = wordsOf(filters)
  const words = await readSimilarWords(db, { search, filters: filterWords, counted: wanted.counted })
  if (!words) return null
  const filtered = and(words.query, filterWords)
  return { query: words.query, filtered, lookup: filtered, walk: walkFor(words, wanted) }
}

// Walking looks at `most * listings / matching` listings, a lookup at all that match; a look costs about the same. What is
// counted is looked up anyway.
const patience = 8
function walkFor({ matching, listings }: Estimate, { most, counted }: Pick<Wanted, 'most' | 'counted'>): number | null {
  const expected = (most * listings) / matching
  return matching > counted && matching > expected ? Math.ceil(patience * expected) : null
}

// A short prefix stands for so many words that it costs more to look up than what the other words find to look at.
const prefixTooCommon = 10
function isLastTooCommon({ head_matching: head, last_matching: last }: Words): boolean {
  return head > 0 && last > prefixTooCommon * head
}

// As the migrations' add_filter_words writes them.
function wordsOf({ category, condition }: Wanted['filters']): string {
  return and(category && `' category ${category}'`, condition && `' condition ${condition}'`)
}

function and(...queries: (string | null)[]): string {
  return queries
    .filter(Boolean)
    .map((query) => `(${query})`)
    .join(' & ')
}
