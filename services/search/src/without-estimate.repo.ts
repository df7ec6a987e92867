import { sql, type RawBuilder } from 'kysely'

/**
 * Wraps a parameter in a subquery, so that the planner's estimates do not depend on its value. Postgres then uses the
 * generic plan of a prepared statement instead of creating a custom plan for each execution, which takes 1 to 2 ms.
 * Use this function only where the best plan does not depend on the value (docs/adr/0012).
 */
export function withoutEstimate(
  value: string | number | readonly string[],
  type: 'tsquery' | 'bigint' | 'text[]',
): RawBuilder<unknown> {
  return sql`(select ${typeof value === 'object' ? [...value] : value}::${sql.raw(type)})`
}
