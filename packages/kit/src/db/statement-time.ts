import { sql, type RawBuilder } from 'kysely'

/** JSON fields that get the database's time, and the CTE that provides the time. */
export interface StatementTime {
  /** Name of a CTE with at most one row, which contains the time as text in the column `iso_time`. */
  relation: string
  fields: readonly string[]
}

/**
 * Builds a SQL expression that adds `fields` to the JSON text `object`. Each field gets the time from the CTE
 * `relation`. `object` must not be `{}`, because the result would not be valid JSON.
 */
export function withStatementTime({ relation, fields }: StatementTime, object: RawBuilder<string>): RawBuilder<string> {
  const prefix = `{${fields.map((field) => `${JSON.stringify(field)}:"@",`).join('')}`
  return sql`replace(${prefix}, '@', ${sql.ref(relation)}.iso_time) || substr(${object}, 2)`
}
