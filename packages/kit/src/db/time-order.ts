import { sql, type RawBuilder } from 'kysely'

/** Position of a row in a list that is ordered by a time and an id. */
export interface TimePosition {
  /** ISO 8601 in UTC with microseconds: a JavaScript Date would truncate them, and a page would skip or repeat rows. */
  at: string
  id: string
}

/** Selects a time column as text for a `TimePosition`. */
export function instantText(column: string): RawBuilder<string> {
  return sql`to_char(${sql.ref(column)} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`
}

/** Builds the condition that a row comes after a position in a list with the newest first; always true without a position. */
export function isAfter([time, id]: readonly [time: string, id: string], position: TimePosition | null) {
  if (!position) return sql<boolean>`true`
  return sql<boolean>`(${sql.ref(time)}, ${sql.ref(id)}) < (${position.at}::timestamptz, ${position.id}::uuid)`
}
