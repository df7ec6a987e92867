import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { prepareBusSchema } from '@marketplace/bus/postgres/schema.ts'
import { migrate } from '@marketplace/kit/migrate/migrate.ts'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { busRole, provision, roleUrl, type ProvisionOptions } from '../provision/provision.ts'
import { schemas } from '@marketplace/contracts/services.ts'
import { columnList, quoted } from './tables.ts'
import { Manifest } from './take-backup.ts'

// Folder with the services' migrations, at the same relative path in the ops image and in the repository.
const servicesFolder = join(import.meta.dirname, '../../services')

/**
 * Creates the database, applies the migrations of this version and loads the backup's rows. Returns the admin URL of
 * the restored database.
 */
export async function restoreBackup(adminUrl: string, folder: string, options: ProvisionOptions): Promise<string> {
  const manifest = Manifest.parse(JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')))
  await provision(adminUrl, options)
  for (const schema of schemas)
    await migrate(roleUrl(adminUrl, options, `${schema}_owner`), join(servicesFolder, schema, 'migrations'))
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
    for (const table of tables) {
      const into = client.query(copyFrom(`copy ${quoted(table)} (${columnList(table)}) from stdin (format binary)`))
      await pipeline(createReadStream(join(folder, table.file)), into)
      if (into.rowCount !== table.rows) throw new Error(`${table.file} has ${into.rowCount} rows, not ${table.rows}.`)
    }
    for (const { value, ...sequence } of sequences)
      if (value !== null) await client.query('select setval($1, $2)', [quoted(sequence), value])
    if (!tables.some(({ schema }) => schema === 'bus')) await republishAll(client)
    await client.query('commit')
    await client.query('analyze')
  } finally {
    await client.end()
  }
}

// Makes the relay publish all outbox events again, because the backup does not contain Kafka's data. Consumers skip
// events that they have already applied.
async function republishAll(client: pg.Client): Promise<void> {
  for (const schema of schemas)
    await client.query(`update ${schema}.outbox set published_at = null where published_at is not null`)
}
