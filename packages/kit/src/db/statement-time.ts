import { sql, type RawBuilder } from 'kysely'

/**
 * Describes how a SQL statement writes its own time into JSON objects. `relation` is a CTE of the statement with at most one
 * row. The column `iso_time` of the CTE is the time as text. `fields` are the names of the JSON fields that receive the
 * time.
 */
export interface StatementTime {
  relation: string
  fields: readonly string[]
}

/**
 * Builds a SQL expression that adds the time of `relation` to a JSON object, under each of the names in `fields`. `object`
 * is the JSON text of an object with at least one field.
 */
export function withStatementTime({ relation, fields }: StatementTime, object: RawBuilder<string>): RawBuilder<string> {
  const prefix = `{${fields.map((field) => `${JSON.stringify(field)}:"@",`).join('')}`
  return sql`replace(${prefix}, '@', ${sql.ref(relation)}.iso_time) || substr(${object}, 2)`
}
