import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { columnList, quoted } from './tables.ts'
import type { Manifest } from './take-backup.ts'

/** Loads the rows of a backed-up table into `target`. Throws if the file does not have all rows. */
export async function loadTable(
  client: pg.Client,
  folder: string,
  table: Manifest['tables'][number],
  target = quoted(table),
): Promise<void> {
  const into = client.query(copyFrom(`copy ${target} (${columnList(table)}) from stdin (format binary)`))
  await pipeline(createReadStream(join(folder, table.file)), into)
  if (into.rowCount !== table.rows) throw new Error(`${table.file} has ${into.rowCount} rows, not ${table.rows}.`)
}
