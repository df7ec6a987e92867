import { sql } from 'kysely'
import type { Db } from '../db.ts'

/**
 * Counts a call to the provider, unless `max` calls were counted in the current hour. Returns whether it was counted. An
 * hour begins with its first call.
 */
export async function countCall(db: Db, max: number): Promise<boolean> {
  // Concurrent statements wait for each other's row lock and then read the latest count, so none exceeds `max`.
  const isNextHour = sql`budget.started_at <= excluded.started_at - interval '1 hour'`
  const { rows } = await sql`
    insert into assistant_budget as budget (started_at, calls) values (statement_timestamp(), 1)
    on conflict (is_only_row) do update set
      started_at = case when ${isNextHour} then excluded.started_at else budget.started_at end,
      calls = case when ${isNextHour} then 1 else budget.calls + 1 end
    where ${isNextHour} or budget.calls < ${max}
    returning calls`.execute(db)
  return rows.length > 0
}
