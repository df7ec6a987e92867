import { sql, type RawBuilder } from 'kysely'

/**
 * Builds a value that the planner does not know, so that it plans a prepared statement only once. If it knew the value, it
 * would find a cheaper plan for some values and plan every search anew, which takes 1 to 2 ms. Use it where the text of
 * the statement determines the plan (docs/adr/0012).
 */
export function withoutEstimate(
  value: string | number | readonly string[],
  type: 'tsquery' | 'bigint' | 'text[]',
): RawBuilder<unknown> {
  return sql`(select ${typeof value === 'object' ? [...value] : value}::${sql.raw(type)})`
}
