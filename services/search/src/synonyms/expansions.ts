import type { SynonymLine } from './parse-synonyms.ts'
import { quoteLexeme } from './quote-lexeme.ts'

/** Alternatives for words: maps each stemmed word (lexeme) to the tsquery texts that can match instead of it. */
export type Expansions = ReadonlyMap<string, ReadonlySet<string>>

/** A word or phrase stemmed by Postgres. `query` is the text of its tsquery, which is empty for stop words. */
export interface Stems {
  lexemes: readonly string[]
  query: string
}

export interface CategoryWords {
  slug: string
  /** The stemmed words of the category's name. */
  lexemes: readonly string[]
}

interface Sources {
  lines: readonly SynonymLine[]
  stems: ReadonlyMap<string, Stems>
  categories: readonly CategoryWords[]
}

const categoryPattern = /^' category ([\w-]+)'$/

/** Returns the slugs of the categories whose listings also match a search for the given lexemes. */
export function categoriesOf(expansions: Expansions, lexemes: readonly string[]): string[] {
  const queries = lexemes.flatMap((lexeme) => [...(expansions.get(lexeme) ?? [])])
  return [...new Set(queries.flatMap((query) => categoryPattern.exec(query)?.[1] ?? []))]
}

/** Collects the alternatives for each word: its synonyms, and the categories whose names contain it. */
export function toExpansions({ lines, stems, categories }: Sources): Expansions {
  const expansions = new Map<string, Set<string>>()
  const add = (lexeme: string, query: string) =>
    expansions.set(lexeme, (expansions.get(lexeme) ?? new Set<string>()).add(query))
  const addAll = (stem: Stems | undefined, queries: readonly string[]) => {
    const [lexeme] = stem?.lexemes ?? []
    if (stem === undefined || lexeme === undefined || stem.lexemes.length > 1) return
    for (const query of queries.filter((one) => one !== stem.query)) add(lexeme, query)
  }
  for (const { typed, found, category } of lines) {
    const queries = found.flatMap((phrase) => stems.get(phrase)?.query || [])
    if (category !== null) queries.push(quoteLexeme(` category ${category}`))
    for (const word of typed) addAll(stems.get(word), queries)
  }
  for (const { slug, lexemes } of categories)
    for (const lexeme of lexemes) add(lexeme, quoteLexeme(` category ${slug}`))
  return expansions
}
