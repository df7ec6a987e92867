import { sql } from 'kysely'
import type { Db } from '../db/db.ts'
import { gauge, type MetricCollector } from '../telemetry/metrics.ts'

const ahead = gauge(
  'partitions_ahead_seconds',
  'Time until the newest partition of a table ends; below 0 it is over.',
  ['table'],
)

/**
 * Returns the collector that measures, for each table with time partitions, the seconds until its newest partition
 * ends.
 */
export function partitionCollector<Tables>(db: Db<Tables>): MetricCollector {
  return { name: 'partitions', collect: () => collectAhead(db) }
}

async function collectAhead<Tables>(db: Db<Tables>): Promise<void> {
  const { rows } = await sql<{ table: string; seconds: number }>`
    select parent.relname as table,
      extract(epoch from max(to_timestamp(right(child.relname, 8) || 'UTC', 'YYYYMMDDTZ')) - now())::float8 as seconds
    from pg_inherits
      join pg_class child on child.oid = inhrelid and child.relkind = 'r'
      join pg_class parent on parent.oid = inhparent
    where parent.relnamespace = current_schema()::regnamespace and child.relname ~ '_until_[0-9]{8}$'
    group by 1`.execute(db)
  for (const { table, seconds } of rows) ahead.set({ table }, seconds)
}
