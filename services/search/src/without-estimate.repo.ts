import { sql, type RawBuilder } from 'kysely'

/**
 * Wraps a parameter in a subquery, so that Postgres uses a generic plan, which saves 1 to 2 ms of planning per
 * execution. Use this function only where the best plan does not depend on the value (docs/adr/0012).
 */
export function withoutEstimate(
  value: string | number | readonly string[],
  type: 'tsquery' | 'bigint' | 'text[]',
): RawBuilder<unknown> {
  return sql`(select ${typeof value === 'object' ? [...value] : value}::${sql.raw(type)})`
}
