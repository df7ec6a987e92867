import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { prepareBusSchema } from '@marketplace/kit/bus-postgres-schema.ts'
import { migrate } from '@marketplace/kit/migrate.ts'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { provision, roleUrl, type ProvisionOptions } from '../provision.ts'
import { mainOf, SCHEMAS } from '../wiring.ts'
import { columnList, quoted } from './tables.ts'
import { Manifest } from './take-backup.ts'

/** Makes the database anew on this server, by the migrations of this release, and fills it with the backup's rows. */
export async function restoreBackup(adminUrl: string, folder: string, rights: ProvisionOptions): Promise<string> {
  const manifest = Manifest.parse(JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')))
  await provision(adminUrl, rights)
  for (const schema of SCHEMAS)
    await migrate(roleUrl(adminUrl, rights, `${schema}_owner`), join(mainOf(schema), '../../migrations'))
  await prepareBus(roleUrl(adminUrl, rights, 'bus_app'))
  const restored = new URL(adminUrl)
  restored.pathname = `/${rights.database}`
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

// All or nothing. Without triggers, and with references unchecked: the rows were right together when they were read.
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
    if (!tables.some(({ schema }) => schema === 'bus')) await tellAgain(client)
    await client.query('commit')
    await client.query('analyze')
  } finally {
    await client.end()
  }
}

// A broker has no part in the backup: what it had not delivered by then is known to no one but the outboxes. Whoever took
// an event already knows its id.
async function tellAgain(client: pg.Client): Promise<void> {
  for (const schema of SCHEMAS)
    await client.query(`update ${schema}.outbox set published_at = null where published_at is not null`)
}
