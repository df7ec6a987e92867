import { sql, type RawBuilder } from 'kysely'

/** A relation of the statement that has at most one row, with the statement's time as text in its column `iso_time`. The time becomes the value of `fields`. */
export interface StatementTime {
  relation: string
  fields: readonly string[]
}

/** Builds a SQL expression that adds `fields`, each set to the statement's time, to the JSON text of a non-empty object. */
export function withStatementTime({ relation, fields }: StatementTime, object: RawBuilder<string>): RawBuilder<string> {
  const prefix = `{${fields.map((field) => `${JSON.stringify(field)}:"@",`).join('')}`
  return sql`replace(${prefix}, '@', ${sql.ref(relation)}.iso_time) || substr(${object}, 2)`
}
