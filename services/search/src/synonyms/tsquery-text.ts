import type { Expansions } from './expansions.ts'

// Matches one word in the text form of a tsquery, such as `'lamp'` or the prefix `'lam':*`. Quotes and backslashes in a
// word are doubled.
const words = /'((?:[^'\\]|''|\\\\)*)'(:\*)?/g

// Matches one operand of a tsquery whose operands are joined by `&`: a word, or words in parentheses joined by `|`.
const operands = /\((?:'(?:[^'\\]|''|\\\\)*'(?::\*)?|[ |])+\)|'(?:[^'\\]|''|\\\\)*'(?::\*)?/g

interface Operand {
  text: string
  /** Queries whose matches all match `text`. */
  alternatives: readonly string[]
}

/**
 * Joins tsqueries by `&` and extends each of their words by its alternatives, joined by `|`. Returns null if no word
 * has alternatives. Leaves out alternatives that contain a lexeme in `unknown`, because no listing matches them.
 */
export function expandQuery(
  queries: readonly string[],
  expansions: Expansions,
  unknown: readonly string[] = [],
): string | null {
  const isPossible = (alternative: string) => !lexemesIn(alternative).some((lexeme) => unknown.includes(lexeme))
  const expanded = queries.flatMap(operandsOf).map((text) => expandOperand(text, expansions, isPossible))
  return expanded.every(({ alternatives }) => alternatives.length === 0) ? null : joinOperands(expanded)
}

// Splits a tsquery at `&`. A tsquery of another form, such as `'lamp' | 'light'`, is returned as one operand.
function operandsOf(query: string): readonly string[] {
  const found: readonly string[] = query.match(operands) ?? []
  return found.join(' & ') === query ? found : [query]
}

/** Returns the lexemes of a tsquery. */
export function lexemesIn(query: string): string[] {
  return [...query.matchAll(words)].map(([, quoted = '']) => unquote(quoted))
}

function unquote(quoted: string): string {
  return quoted.replaceAll("''", "'").replaceAll('\\\\', '\\')
}

function expandOperand(operand: string, expansions: Expansions, isPossible: (alternative: string) => boolean): Operand {
  const all = new Set<string>()
  const text = operand.replaceAll(words, (word, quoted: string) => {
    const alternatives = [...(expansions.get(unquote(quoted)) ?? [])].filter(isPossible)
    for (const alternative of alternatives) all.add(alternative)
    return alternatives.length === 0 ? word : `(${[word, ...alternatives].map((one) => `(${one})`).join(' | ')})`
  })
  return { text, alternatives: [...all] }
}

// If several operands share an alternative C, C is also put in front: `C | ((home | C) & (decor | C))`. The same
// listings match, but the planner estimates their number better.
function joinOperands(all: readonly Operand[]): string {
  const sharedBy = (alternative: string) => all.filter(({ alternatives }) => alternatives.includes(alternative))
  const shared = all.flatMap(({ alternatives }) => alternatives).find((one) => sharedBy(one).length > 1)
  if (shared === undefined) return and(...all.map(({ text }) => text))
  const sharing = sharedBy(shared)
  const merged = {
    text: `(${shared}) | (${and(...sharing.map(({ text }) => text))})`,
    alternatives: all
      .flatMap(({ alternatives }) => alternatives)
      .filter((one) => sharing.every(({ alternatives }) => alternatives.includes(one))),
  }
  return joinOperands([...all.filter((one) => !sharing.includes(one)), merged])
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
