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

/** Writes every row of all schemas into a new folder, as of one instant. Writers are not blocked. */
export async function takeBackup(adminUrl: string, folder: string): Promise<Manifest> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const client = new pg.Client({ connectionString: adminUrl })
  await client.connect()
  try {
    // One snapshot for all schemas: a consumer's effect is never backed up without the event that caused it.
    await client.query('begin isolation level repeatable read read only')
    const { rows } = await client.query<{ at: Date }>('select now() as at')
    const tables: Manifest['tables'] = []
    for (const table of await readTables(client)) tables.push(await copyTable(client, table, folder))
    // Sequences are not transactional. Read last, their values are never behind the rows of the snapshot.
    const manifest = { takenAt: rows[0]?.at.toISOString() ?? '', tables, sequences: await readSequences(client) }
    await client.query('commit')
    await writeFile(join(folder, 'manifest.json'), JSON.stringify(manifest, null, 2), { mode: 0o600 })
    return manifest
  } finally {
    await client.end()
  }
}

async function copyTable(client: pg.Client, table: Table, folder: string): Promise<Manifest['tables'][number]> {
  const file = `${table.schema}.${table.name}.copy`
  const rows = client.query(copyTo(`copy ${quoted(table)} (${columnList(table)}) to stdout (format binary)`))
  await pipeline(rows, createWriteStream(join(folder, file), { mode: 0o600 }))
  return { ...table, rows: rows.rowCount, file }
}
