import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../db.ts'

/** A time of the database to the microsecond; a Date would cut it off, and be earlier. */
export interface Instant {
  text: string
}

export async function instantNow(db: Db): Promise<Instant> {
  const { rows } = await sql<Instant>`select clock_timestamp()::text as text`.execute(db)
  const [now] = rows
  if (!now) throw new Error('The database did not tell its time.')
  return now
}

export function at({ text }: Instant): RawBuilder<Date> {
  return sql`${text}::timestamptz`
}
