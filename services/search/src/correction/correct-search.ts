import type { Db } from '../db.ts'
import type { Expansions } from '../synonyms/expansions.ts'
import { readCorrections, readUnknownWords } from './corrections.repo.ts'

// Words that can be corrected consist of 5 to 40 letters. Shorter words have too many similar words, and words with
// digits are numbers or model names.
const correctable = /^[\p{L}\p{M}]{5,40}$/u

/**
 * Returns the search as typed and, if a hyphen joins a letter and a digit, a second spelling with a space instead.
 * Otherwise, "wh-1000" would not find "WH-1000XM4": Postgres would search for the number "-1000".
 */
export function spellingsOf(search: string): string[] {
  return [...new Set([search, search.replaceAll(/(?<=\p{L})-(?=\d)/gu, ' ')])]
}

/**
 * Replaces each word that occurs in no listing by the most similar word in a title. Returns null if every word of the
 * search occurs in a listing, or if one of the unknown words has no similar word.
 */
export async function correctSearch(db: Db, search: string, expansions: Expansions): Promise<string | null> {
  const typed = wordsOf(search)
  const unknown = (await readUnknownWords(db, typed)).filter(
    ({ lexemes }) => !lexemes.every((lexeme) => expansions.has(lexeme)),
  )
  if (unknown.length === 0 || !unknown.every(({ word }) => correctable.test(word))) return null
  const corrections = await readCorrections(
    db,
    unknown.map(({ word }) => word),
  )
  if (!unknown.every(({ word }) => corrections.has(word))) return null
  return typed.map((word) => corrections.get(word) ?? word).join(' ')
}

// Splits a search into lower-case words without punctuation at their ends.
function wordsOf(search: string): string[] {
  return search
    .normalize()
    .toLowerCase()
    .split(/\s+/)
    .map((word) => word.replaceAll(/^[^\p{L}\p{N}]+|[^\p{L}\p{M}\p{N}]+$/gu, ''))
    .filter((word) => word !== '')
}
