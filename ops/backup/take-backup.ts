import { createWriteStream } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { z } from 'zod'
import { columnList, quoted, readSequences, readTables, type Table } from './tables.ts'

export const Manifest = z.object({
  takenAt: z.string(),
  tables: z.array(
    z.object({
      schema: z.string(),
      name: z.string(),
      columns: z.array(z.string()),
      rows: z.number(),
      file: z.string(),
    }),
  ),
  sequences: z.array(z.object({ schema: z.string(), name: z.string(), value: z.string().nullable() })),
})

export type Manifest = z.output<typeof Manifest>

// Maximum time in ms that a backup holds its snapshot. Postgres cannot remove old row versions during this time.
const maxSnapshotMs = 1_800_000

interface BackupOptions {
  /** Called after each table has been copied. */
  onCopied?: (table: Table) => Promise<void>
  /** Maximum time in ms for which the backup can hold its database snapshot. A longer backup fails. */
  timeoutMs?: number
}

/**
 * Copies all rows, as of one instant, into files in a new folder. Locks each table only while that table is copied, so
 * that migrations of other tables do not wait. Throws if the snapshot is held for longer than `timeoutMs` (30 minutes
 * by default).
 */
export async function takeBackup(
  adminUrl: string,
  folder: string,
  { onCopied = () => Promise.resolve(), timeoutMs = maxSnapshotMs }: BackupOptions = {},
): Promise<Manifest> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  return withClient(adminUrl, (holder) =>
    withClient(adminUrl, async (client) => {
      const { id, takenAt } = await holdSnapshot(holder, timeoutMs)
      const tables: Manifest['tables'] = []
      for (const table of await readTables(holder)) {
        await client.query(`begin isolation level repeatable read read only; set transaction snapshot '${id}'`)
        await client.query(`set local transaction_timeout = ${timeoutMs}`)
        tables.push(await copyTable(client, table, folder))
        await client.query('commit')
        await onCopied(table)
      }
      // Sequences are read after the rows, so that each sequence value is at least as high as the copied ids.
      const manifest = { takenAt, tables, sequences: await readSequences(client) }
      await holder.query('commit')
      await writeFile(join(folder, 'manifest.json'), JSON.stringify(manifest, null, 2), { mode: 0o600 })
      return manifest
    }),
  )
}

// Opens a transaction whose snapshot is used to copy all tables, so that the backup is consistent across schemas. The
// transaction itself reads no table, so it locks none.
async function holdSnapshot(holder: pg.Client, timeoutMs: number): Promise<{ id: string; takenAt: string }> {
  await holder.query(`begin isolation level repeatable read read only; set local transaction_timeout = ${timeoutMs}`)
  const { rows } = await holder.query<{ id: string; at: Date }>('select pg_export_snapshot() as id, now() as at')
  const [row] = rows
  if (!row) throw new Error('Postgres exported no snapshot.')
  return { id: row.id, takenAt: row.at.toISOString() }
}

async function withClient<Result>(url: string, use: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: url })
  // An error event without a listener would end the process; the next statement reports the error anyway.
  client.on('error', () => undefined)
  await client.connect()
  try {
    return await use(client)
  } finally {
    await client.end()
  }
}

async function copyTable(client: pg.Client, table: Table, folder: string): Promise<Manifest['tables'][number]> {
  const file = `${table.schema}.${table.name}.copy`
  // Copies from a query, because `copy <table> to` does not accept a partitioned table.
  const rows = client.query(
    copyTo(`copy (select ${columnList(table)} from ${quoted(table)}) to stdout (format binary)`),
  )
  await pipeline(rows, createWriteStream(join(folder, file), { mode: 0o600 }))
  return { ...table, rows: rows.rowCount, file }
}
