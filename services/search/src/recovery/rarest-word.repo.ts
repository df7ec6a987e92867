import { sql } from 'kysely'
import type { Db } from '../db.ts'

// Only the first words are compared, to save time. Searches without results rarely have more words.
const maxWords = 10

/** Returns the word of a search that occurs in the fewest listings, as estimated by the planner. Ignores stop words. */
export async function readRarestWord(db: Db, search: string): Promise<string | null> {
  const words = search.normalize().split(/\s+/).filter(Boolean).slice(0, maxWords)
  const { rows } = await sql<{ word: string }>`
    select word from unnest(${words}::text[]) with ordinality as typed (word, place),
      lateral (select plainto_tsquery('english', word) as query) as parsed
    where numnode(query) > 0
    order by exists (select from lexemes where lexeme = any(tsvector_to_array(to_tsvector('english', word)))),
      estimated_matches(query), place desc
    limit 1`.execute(db)
  return rows[0]?.word ?? null
}
