import { join } from 'node:path'
import { readMigrations, type Migration } from '@marketplace/kit/migrate/migrations.ts'
import pg from 'pg'
import { loadTable } from './load-table.ts'
import type { Manifest } from './take-backup.ts'

export interface RecordedMigrations {
  schema: string
  migrations: Migration[]
}

/**
 * Returns, for each schema of a backup, the migrations that had been applied when the backup was made. Reads their names
 * through a temporary table on the server of `adminUrl`, so that nothing is created there. Throws if this version does
 * not have one of the migrations.
 */
export async function readRecordedMigrations(
  adminUrl: string,
  folder: string,
  { tables }: Manifest,
  servicesFolder: string,
): Promise<RecordedMigrations[]> {
  const client = new pg.Client({ connectionString: adminUrl })
  await client.connect()
  try {
    const recorded: RecordedMigrations[] = []
    for (const table of tables.filter(({ name }) => name === 'schema_migrations')) {
      const names = await readNames(client, folder, table)
      const known = await readMigrations(join(servicesFolder, table.schema, 'migrations'))
      rejectUnknown(table.schema, names, known)
      recorded.push({ schema: table.schema, migrations: known.filter(({ name }) => names.has(name)) })
    }
    return recorded
  } finally {
    await client.end()
  }
}

async function readNames(client: pg.Client, folder: string, table: Manifest['tables'][number]): Promise<Set<string>> {
  await client.query('begin')
  await client.query(
    'create temporary table recorded (name text, checksum text, applied_at timestamptz) on commit drop',
  )
  await loadTable(client, folder, table, 'recorded')
  const { rows } = await client.query<{ name: string }>('select name from recorded')
  await client.query('commit')
  return new Set(rows.map(({ name }) => name))
}

function rejectUnknown(schema: string, names: ReadonlySet<string>, known: readonly Migration[]): void {
  const unknown = [...names].filter((name) => !known.some((migration) => migration.name === name))
  if (unknown.length > 0)
    throw new Error(
      `This version does not have the migration ${unknown.join(', ')} of ${schema}; restore with the version that made the backup, or a newer one.`,
    )
}
