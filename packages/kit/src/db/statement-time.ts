import { sql, type RawBuilder } from 'kysely'

/** The JSON fields that a SQL statement sets to the database's time, and the CTE that provides this time. */
export interface StatementTime {
  /** Name of a CTE with at most one row, which contains the time as text in the column `iso_time`. */
  relation: string
  fields: readonly string[]
}

/**
 * Builds a SQL expression that adds `fields`, set to the time from the CTE `relation`, to the JSON text `object`.
 * `object` must not be `{}`, because a comma follows the added fields.
 */
export function withStatementTime({ relation, fields }: StatementTime, object: RawBuilder<string>): RawBuilder<string> {
  const prefix = `{${fields.map((field) => `${JSON.stringify(field)}:"@",`).join('')}`
  return sql`replace(${prefix}, '@', ${sql.ref(relation)}.iso_time) || substr(${object}, 2)`
}
