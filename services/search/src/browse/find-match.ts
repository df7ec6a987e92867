import type { Db } from '../db.ts'
import type { Filters } from './browse.ts'
import type { Match } from './matches.repo.ts'
import { readSimilarWords, readWords, type Estimate, type Words } from './words.repo.ts'

/** What is looked for, and how many listings of it are wanted, the first in some order. */
export interface Wanted {
  search: string
  filters: Pick<Filters, 'category' | 'condition'>
  most: number
}

/** The listings with every word of a search; null where it has no words. Whether there are any, looking tells. */
export async function matchWords(db: Db, { search, filters, most }: Wanted): Promise<Match | null> {
  const filterWords = wordsOf(filters)
  const words = await readWords(db, search, filterWords)
  if (!words) return null
  const query = and(words.head, words.last)
  const filtered = and(query, filterWords)
  if (isWalkedSooner(words, most)) return { query, filtered, lookup: null }
  return { query, filtered, lookup: isLastTooCommon(words) ? and(words.head, filterWords) : filtered }
}

/** The listings with words much like those of a search; null where a word is like no other. */
export async function matchSimilarWords(db: Db, { search, filters, most }: Wanted): Promise<Match | null> {
  const filterWords = wordsOf(filters)
  const words = await readSimilarWords(db, search, filterWords)
  if (!words) return null
  const filtered = and(words.query, filterWords)
  return { query: words.query, filtered, lookup: isWalkedSooner(words, most) ? null : filtered }
}

// Walking looks at `most * listings / matching` listings, a lookup at all that match; a look costs about the same.
function isWalkedSooner({ matching, listings }: Estimate, most: number): boolean {
  return matching * matching > most * listings && listings >= 0
}

// A short prefix stands for so many words that it costs more to look up than what the other words find to look at.
const prefixTooCommon = 10
function isLastTooCommon({ head_matching: head, last_matching: last }: Words): boolean {
  return head > 0 && last > prefixTooCommon * head
}

// As the migrations' add_filter_words writes them.
function wordsOf({ category, condition }: Wanted['filters']): string {
  return and(category && `'category ${category}'`, condition && `'condition ${condition}'`)
}

function and(...queries: (string | null)[]): string {
  return queries.filter(Boolean).join(' & ')
}
