import type { Db } from '../db.ts'
import { estimateMatches, hasMatches, type Match } from './matches.repo.ts'
import { readSimilarWords, readWords } from './words.repo.ts'

// Measured at 1,000,000 listings: fewer are sooner fetched by the word index and sorted, more by walking newest first.
const commonFrom = 10_000

/** The listings meant by a search: those with every word, else those with words much like them; null without any. */
export async function findMatch(db: Db, search: string): Promise<Match | null> {
  const match = await matchWords(db, search)
  return match && (match.lookup === null || (await hasMatches(db, match))) ? match : matchSimilarWords(db, search)
}

/** The listings with every word of a search; null where it has no words. Whether there are any, counting them tells. */
export async function matchWords(db: Db, search: string): Promise<Match | null> {
  const { head, last } = await readWords(db, search)
  const query = [head, last].filter(Boolean).join(' & ')
  if (query === '') return null
  if (await isCommon(db, query)) return { query, lookup: null }
  const isLastCommon = head !== '' && last !== '' && (await isCommon(db, last))
  return { query, lookup: isLastCommon ? head : query }
}

/** The listings with words much like those of a search; null without any. */
export async function matchSimilarWords(db: Db, search: string): Promise<Match | null> {
  const query = await readSimilarWords(db, search)
  if (query === null) return null
  const match = { query, lookup: (await isCommon(db, query)) ? null : query }
  return (await hasMatches(db, match)) ? match : null
}

async function isCommon(db: Db, query: string): Promise<boolean> {
  return (await estimateMatches(db, query)) >= commonFrom
}
