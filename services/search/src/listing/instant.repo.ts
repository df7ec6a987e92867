import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../db.ts'

/** A database time as text. The text keeps the microseconds, which a JavaScript Date would cut off. */
export interface Instant {
  text: string
}

export async function databaseNow(db: Db): Promise<Instant> {
  const { rows } = await sql<Instant>`select clock_timestamp()::text as text`.execute(db)
  const [now] = rows
  if (!now) throw new Error('The database returned no time.')
  return now
}

export function toTimestamp({ text }: Instant): RawBuilder<Date> {
  return sql`${text}::timestamptz`
}
