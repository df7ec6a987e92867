import { sql } from 'kysely'
import type { Db } from '../db.ts'

export interface TypedWords {
  /** The stemmed words of the search. */
  lexemes: string[]
  /** The word that occurs in the fewest listings, as estimated by the planner; null if there are only stop words. */
  rarest: string | null
}

// The rarest word is chosen among the first words only, to save time.
const maxWords = 10

/** Stems the words of a search and finds the rarest of them. */
export async function readTypedWords(db: Db, search: string): Promise<TypedWords> {
  const words = search.normalize().split(/\s+/).filter(Boolean).slice(0, maxWords)
  // A word that no listing contains is the rarest, and needs no estimate.
  const { rows } = await sql<TypedWords>`
    select tsvector_to_array(to_tsvector('english', ${search})) as lexemes, (
      select word from unnest(${words}::text[]) with ordinality as typed (word, place),
        lateral (select plainto_tsquery('english', word) as query) as parsed,
        lateral (select exists (
          select from lexemes where lexeme = any(tsvector_to_array(to_tsvector('english', word)))
        ) as is_known) as looked_up
      where numnode(query) > 0
      order by is_known, case when is_known then estimated_matches(query) end, place desc
      limit 1
    ) as rarest`.execute(db)
  return rows[0] ?? { lexemes: [], rarest: null }
}
