import type pg from 'pg'
import { schemas } from '@marketplace/contracts/services.ts'

export interface Table {
  schema: string
  name: string
  /** Generated columns are left out, because Postgres computes their values on insert. */
  columns: string[]
}

export interface Sequence {
  schema: string
  name: string
  value: string | null
}

/** The schemas that a backup contains. `bus` exists only if the event bus is Postgres. */
export const backedUp: readonly string[] = [...schemas, 'bus']

/** Returns the tables of the schemas in `backedUp`. A partitioned table is listed once, without its partitions. */
export async function readTables(client: pg.Client): Promise<Table[]> {
  const { rows } = await client.query<Table>(
    `select n.nspname as schema, c.relname as name,
       array_agg(a.attname::text order by a.attnum) filter (where a.attgenerated = '') as columns
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where c.relkind in ('r', 'p') and not c.relispartition and n.nspname = any($1) group by 1, 2 order by 1, 2`,
    [backedUp],
  )
  return rows
}

export async function readSequences(client: pg.Client): Promise<Sequence[]> {
  const { rows } = await client.query<Sequence>(
    `select schemaname as schema, sequencename as name, last_value::text as value
     from pg_sequences where schemaname = any($1) order by 1, 2`,
    [backedUp],
  )
  return rows
}

export function quoted({ schema, name }: { schema: string; name: string }): string {
  return `"${schema}"."${name}"`
}

export function columnList({ columns }: Table): string {
  return columns.map((column) => `"${column}"`).join(', ')
}
