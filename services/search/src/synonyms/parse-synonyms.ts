/** One line of `synonyms.txt`. */
export interface SynonymLine {
  /**
   * Words and phrases that a user can type. Only single words are extended by alternatives. A phrase is only an
   * alternative for other words.
   */
  typed: readonly string[]
  /** Words and phrases in listings that match instead of a typed word. */
  found: readonly string[]
  /** Slug of a category that is an alternative for the typed words. Null if the line names none. */
  category: string | null
}

/**
 * Parses `synonyms.txt`. Empty lines and lines that start with `#` are skipped. Forms of a line:
 * `sofa, couch` (each word finds the others), `sneaker -> shoe` (the left word finds the right word, not the reverse),
 * and either of them with `+ category shoes` at the end.
 */
export function parseSynonyms(text: string): SynonymLine[] {
  const lines = text.split('\n').map((line) => line.trim())
  return lines.filter((line) => line !== '' && !line.startsWith('#')).map(parseLine)
}

function parseLine(line: string): SynonymLine {
  const [, words = '', , right, category] =
    /^([^>+]+?)(\s*->\s*([^+]*?))?(?:\s*\+\s*category ([\w-]+))?$/.exec(line) ?? []
  if (words === '') throw new Error(`synonyms.txt has an invalid line: ${line}`)
  const typed = listOf(words)
  return { typed, found: right === undefined ? typed : listOf(right), category: category ?? null }
}

function listOf(words: string): string[] {
  return words
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '')
}
