import { sql, type RawBuilder } from 'kysely'

/** Fields of a JSON object that a SQL statement sets to the database's time, and the CTE that provides the time. */
export interface StatementTime {
  /** Name of a CTE with at most one row, which contains the time as text in the column `iso_time`. */
  relation: string
  fields: readonly string[]
}

/**
 * Builds a SQL expression that adds `fields` to a JSON object and sets each to the time from the CTE `relation`.
 * `object` is the JSON text of an object with at least one field.
 */
export function withStatementTime({ relation, fields }: StatementTime, object: RawBuilder<string>): RawBuilder<string> {
  const prefix = `{${fields.map((field) => `${JSON.stringify(field)}:"@",`).join('')}`
  return sql`replace(${prefix}, '@', ${sql.ref(relation)}.iso_time) || substr(${object}, 2)`
}
