import { sql, type RawBuilder } from 'kysely'

/**
 * Describes how a SQL statement adds the database's time to the JSON objects that it stores, for example to an event.
 * `relation` is a CTE of the statement that has at most one row. Its column `iso_time` is the time as text. `fields`
 * are the names of the JSON fields that receive the time.
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
