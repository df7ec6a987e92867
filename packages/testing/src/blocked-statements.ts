import { eventually } from './eventually.ts'

/**
 * Waits until at least `count` statements in the current database wait for a lock. `query` runs a statement and returns
 * its rows. Its role must be a superuser or the role of the waiting statements, because Postgres hides other sessions.
 */
export async function waitForBlockedStatements(
  query: (text: string) => Promise<readonly unknown[]>,
  count = 1,
): Promise<void> {
  const blocked = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  await eventually(async () => (await query(blocked)).length >= count)
}
