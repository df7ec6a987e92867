import { sql, type RawBuilder } from 'kysely'

/** Defines which JSON fields are set to the database's time, and which CTE provides the time. */
export interface StatementTime {
  /** Name of a CTE with at most one row, which contains the time as text in the column `iso_time`. */
  relation: string
  fields: readonly string[]
}

/**
 * Builds a SQL expression that adds `fields`, each with the time from the CTE `relation`, to the JSON text `object`.
 * `object` must have at least one field.
 */
export function withStatementTime({ relation, fields }: StatementTime, object: RawBuilder<string>): RawBuilder<string> {
  const prefix = `{${fields.map((field) => `${JSON.stringify(field)}:"@",`).join('')}`
  return sql`replace(${prefix}, '@', ${sql.ref(relation)}.iso_time) || substr(${object}, 2)`
}
