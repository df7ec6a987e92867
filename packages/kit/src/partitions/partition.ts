import type pg from 'pg'
import type { PartitionedTable } from './partitioned-tables.ts'

export const dayMs = 24 * 3_600_000

/**
 * A partition of a table that is partitioned by time. It contains the rows whose ids were created at or after the
 * previous partition's `until` and before its own `until`.
 */
export interface Partition {
  name: string
  /** End of the partition: the start of a UTC day, in ms since 1970. */
  until: number
}

/** Returns the table's partitions ordered by time, without the default partition. */
export async function readPartitions(client: pg.Client, table: PartitionedTable): Promise<Partition[]> {
  const { rows } = await client.query<{ name: string }>(
    `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = to_regclass($1) and c.relname like '%\\_until\\_%' order by c.relname`,
    [table.name],
  )
  return rows.map(({ name }) => ({ name, until: untilOf(name) }))
}

export function partitionUntil(table: PartitionedTable, until: number): Partition {
  const day = new Date(until).toISOString().slice(0, 10).replaceAll('-', '')
  return { name: `${table.name}_until_${day}`, until }
}

function untilOf(name: string): number {
  const [, year, month, day] = /(\d{4})(\d\d)(\d\d)$/.exec(name) ?? []
  return Date.UTC(Number(year), Number(month) - 1, Number(day))
}

export const defaultPartition = (table: PartitionedTable): string => `${table.name}_default`

/** Returns the lower bound for UUIDv7 ids created at or after `ms` (in ms since 1970), as a SQL literal. */
export function lowestId(ms: number): string {
  const hex = ms.toString(16).padStart(12, '0')
  return `'${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000'`
}

export async function isTrue(client: pg.Client, condition: string): Promise<boolean> {
  const { rows } = await client.query<{ is_true: boolean }>(`select ${condition} as is_true`)
  return rows[0]?.is_true ?? false
}

/** Returns the database's time, in ms since 1970. */
export async function readTime(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ now: Date }>('select clock_timestamp() as now')
  return rows[0]?.now.getTime() ?? Date.now()
}
