import { sql, type RawBuilder } from 'kysely'

/**
 * Names a relation, such as a CTE, of the SQL statement under construction. The relation has at most one row. Its column
 * `iso_time` contains the statement's time as text. That time is written to the JSON fields named in `fields`.
 */
export interface StatementTime {
  relation: string
  fields: readonly string[]
}

/**
 * Builds a SQL expression that adds the statement's time to a JSON object under each of the names in `fields`. `object` is
 * the JSON text of an object with at least one field.
 */
export function withStatementTime({ relation, fields }: StatementTime, object: RawBuilder<string>): RawBuilder<string> {
  const prefix = `{${fields.map((field) => `${JSON.stringify(field)}:"@",`).join('')}`
  return sql`replace(${prefix}, '@', ${sql.ref(relation)}.iso_time) || substr(${object}, 2)`
}
