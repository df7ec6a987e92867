import { sql } from 'kysely'
import type { Trx } from '../db.ts'

export interface TableReads {
  /** Sequential scans that were started. */
  scans: number
  /** Rows read by sequential scans and by index. */
  rows: number
}

/**
 * Runs the work and returns the number of reads of each table. pg_stat_xact_user_tables can include earlier transactions
 * of the connection, so the function reads it before and after the work.
 */
export async function tableReads(trx: Trx, work: () => Promise<unknown>): Promise<Map<string, TableReads>> {
  const before = await readStatistics(trx)
  await work()
  const after = await readStatistics(trx)
  const readsOf = (table: string, { scans, rows }: TableReads): [string, TableReads] => {
    const earlier = before.get(table) ?? { scans: 0, rows: 0 }
    return [table, { scans: scans - earlier.scans, rows: rows - earlier.rows }]
  }
  return new Map([...after].map(([table, reads]) => readsOf(table, reads)))
}

async function readStatistics(trx: Trx): Promise<Map<string, TableReads>> {
  const { rows } = await sql<TableReads & { table: string }>`
    select relname as "table", seq_scan::int as scans, (seq_tup_read + coalesce(idx_tup_fetch, 0))::int as rows
    from pg_stat_xact_user_tables where schemaname = current_schema()`.execute(trx)
  return new Map(rows.map(({ table, ...reads }) => [table, reads]))
}
