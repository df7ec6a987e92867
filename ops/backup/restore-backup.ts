import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { prepareBusSchema } from '@marketplace/bus/postgres/schema.ts'
import { applyMigrations } from '@marketplace/kit/migrate/migrate.ts'
import pg from 'pg'
import { busRole, provision, roleUrl, type ProvisionOptions } from '../provision/provision.ts'
import { loadTable } from './load-table.ts'
import { readRecordedMigrations } from './recorded-migrations.ts'
import { quoted } from './tables.ts'
import { Manifest } from './take-backup.ts'

// Folder with the services' migrations, at the same relative path in the ops image and in the repository.
const ownServicesFolder = join(import.meta.dirname, '../../services')

export interface RestoreOptions extends ProvisionOptions {
  /** Folder with the services' migrations; by default, those of this version. */
  readonly servicesFolder?: string
}

/**
 * Creates the database, applies the migrations that the backup records and loads its rows. The next release applies
 * newer migrations, as it does to the database that was backed up. Returns the admin URL of the restored database.
 */
export async function restoreBackup(adminUrl: string, folder: string, options: RestoreOptions): Promise<string> {
  const { servicesFolder = ownServicesFolder } = options
  const manifest = Manifest.parse(JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')))
  const recorded = await readRecordedMigrations(adminUrl, folder, manifest, servicesFolder)
  await provision(adminUrl, options)
  for (const { schema, migrations } of recorded)
    await applyMigrations(roleUrl(adminUrl, options, `${schema}_owner`), migrations)
  if (options.passwords[busRole]) await prepareBus(roleUrl(adminUrl, options, busRole))
  const restored = new URL(adminUrl)
  restored.pathname = `/${options.database}`
  await fill(restored.href, folder, manifest)
  return restored.href
}

async function prepareBus(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await prepareBusSchema({
    isOpen: () => true,
    query: async (text, values = []) => (await client.query(text, [...values])).rows,
  })
  await client.end()
}

// Loads all rows in one transaction, with foreign keys and triggers disabled, so that the tables can be loaded in any
// order. The rows satisfy the foreign keys, because the backup was made from one snapshot.
async function fill(url: string, folder: string, { tables, sequences }: Manifest): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(`begin; set local session_replication_role = replica`)
    await client.query(`truncate ${tables.map(quoted).join(', ')}`)
    for (const table of tables) await loadTable(client, folder, table)
    for (const { value, ...sequence } of sequences)
      if (value !== null) await client.query('select setval($1, $2)', [quoted(sequence), value])
    if (!tables.some(({ schema }) => schema === 'bus')) await republishAll(client, tables)
    await client.query('commit')
    await client.query('analyze')
  } finally {
    await client.end()
  }
}

// Makes the relay publish all outbox events again, because the backup does not contain Kafka's data. Consumers skip
// events that they have already applied.
async function republishAll(client: pg.Client, tables: Manifest['tables']): Promise<void> {
  for (const outbox of tables.filter(({ name }) => name === 'outbox'))
    await client.query(`update ${quoted(outbox)} set published_at = null where published_at is not null`)
}
