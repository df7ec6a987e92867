import { sql, type RawBuilder } from 'kysely'

/** Position of a row in a list that is ordered by a time and an id. */
export interface TimePosition {
  /**
   * Time in ISO 8601 (UTC) with microseconds. A JavaScript Date would truncate the microseconds, and a page would then skip
   * or repeat rows.
   */
  at: string
  id: string
}

/** Selects a time column as text for a `TimePosition`. */
export function instantText(column: string): RawBuilder<string> {
  return sql`to_char(${sql.ref(column)} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`
}

/**
 * Builds the SQL condition for the rows after a position, in a list with the newest row first. Without a position, the
 * condition is always true.
 */
export function isAfter([time, id]: readonly [time: string, id: string], position: TimePosition | null) {
  if (!position) return sql<boolean>`true`
  return sql<boolean>`(${sql.ref(time)}, ${sql.ref(id)}) < (${position.at}::timestamptz, ${position.id}::uuid)`
}
