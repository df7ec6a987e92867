import { sql, type RawBuilder } from 'kysely'

/**
 * Names the JSON fields that a SQL statement sets to the database's time when it stores a JSON object, for example an
 * event. `relation` is a CTE of the same statement with at most one row, whose column `iso_time` is the time as text.
 */
export interface StatementTime {
  relation: string
  fields: readonly string[]
}

/**
 * Builds a SQL expression that adds each of `fields` to a JSON object, with the time from the CTE `relation` as its
 * value. `object` is the JSON text of an object with at least one field.
 */
export function withStatementTime({ relation, fields }: StatementTime, object: RawBuilder<string>): RawBuilder<string> {
  const prefix = `{${fields.map((field) => `${JSON.stringify(field)}:"@",`).join('')}`
  return sql`replace(${prefix}, '@', ${sql.ref(relation)}.iso_time) || substr(${object}, 2)`
}
