/** One line of `synonyms.txt`. */
export interface SynonymLine {
  /**
   * A search for one of these words also finds listings that contain `found` or are in `category`. Phrases are ignored.
   */
  typed: readonly string[]
  /** Words and phrases that a listing can contain instead of a typed word. */
  found: readonly string[]
  /** Slug of a category that is an alternative for the typed words. Null if the line names no category. */
  category: string | null
}

/**
 * Parses `synonyms.txt`. Empty lines and lines that start with `#` are skipped. Other lines have one of these forms:
 * - `sofa, couch`: each word also finds the others.
 * - `sneaker -> shoe`: the left word also finds the right word, but not the reverse.
 * - One of these forms, then `+ category shoes`: the typed words also find all listings of the category.
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
