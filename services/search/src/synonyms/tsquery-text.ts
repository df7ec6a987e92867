import type { Expansions } from './expansions.ts'

// Matches one word in the text form of a tsquery: in quotes, with quotes and backslashes doubled, and `:*` after a
// prefix.
const words = /'((?:[^'\\]|''|\\\\)*)'(:\*)?/g

/** Extends each word of a tsquery by its alternatives, joined by `|`. Words without alternatives do not change. */
export function expandQuery(query: string, expansions: Expansions): string {
  return query.replaceAll(words, (word, quoted: string) => {
    const alternatives = [...(expansions.get(quoted.replaceAll("''", "'").replaceAll('\\\\', '\\')) ?? [])]
    return alternatives.length === 0 ? word : `(${[word, ...alternatives].map((one) => `(${one})`).join(' | ')})`
  })
}

/** Restricts each word of a tsquery to titles, whose words have the weight A. */
export function titleQuery(query: string): string {
  return query.replaceAll(words, (word, _quoted, prefix: string | undefined) => `${word}${prefix ? '' : ':'}A`)
}

/** Joins the texts of tsqueries that must all match. Empty texts are left out. */
export function and(...queries: (string | null)[]): string {
  return queries
    .filter(Boolean)
    .map((query) => `(${query})`)
    .join(' & ')
}
