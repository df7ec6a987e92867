import { sql } from 'kysely'
import type { Db } from '../db.ts'
import type { Category } from '../suggestion/categories.repo.ts'
import type { CategoryWords, Stems } from './expansions.ts'

/** Stems words and phrases in the same way as the words of listings. */
export async function readStems(db: Db, phrases: readonly string[]): Promise<Map<string, Stems>> {
  const { rows } = await sql<Stems & { phrase: string }>`
    select phrase, tsvector_to_array(to_tsvector('english', phrase)) as lexemes,
      plainto_tsquery('english', phrase)::text as query
    from unnest(${[...phrases]}::text[]) as phrase`.execute(db)
  return new Map(rows.map(({ phrase, ...stems }) => [phrase, stems]))
}

/** Stems the words of the categories' names. */
export async function readCategoryWords(db: Db, categories: readonly Category[]): Promise<CategoryWords[]> {
  const stems = await readStems(
    db,
    categories.map(({ name }) => name),
  )
  return categories.map(({ slug, name }) => ({ slug, lexemes: stems.get(name)?.lexemes ?? [] }))
}
