import { sql } from 'kysely'
import type { Db } from '../db.ts'

/** Returns the filter words for a location, in the form that is stored with listings. */
export async function readPlaces(db: Db, location: string): Promise<string[]> {
  const { rows } = await sql<{ places: string[] }>`select place_words(${location}) as places`.execute(db)
  return rows[0]?.places ?? []
}
