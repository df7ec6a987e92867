import { sql } from 'kysely'
import type { Db } from '../db.ts'

/**
 * Returns the filter words for a location, in the form that is stored with listings. The word that the fewest listings
 * have comes first, as estimated by the planner.
 */
export async function readPlaces(db: Db, location: string): Promise<string[]> {
  const { rows } = await sql<{ place: string }>`
    select place from unnest(place_words(${location})) as place
    order by estimated_matches(array_to_tsvector(array[place])::text::tsquery), place`.execute(db)
  return rows.map(({ place }) => place)
}
