import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { z } from 'zod'
import { readSettings } from './config.ts'

const kitMigrations = join(import.meta.dirname, '../migrations')
const lockName = 'marketplace.migrate'

interface Migration {
  name: string
  checksum: string
  text: string
}

/** The command of a service's `migrate.ts`: applies kit's and the service's migrations as OWNER_DATABASE_URL. */
export async function migrateCommand(directory: string): Promise<void> {
  const settings = readSettings(z.object({ OWNER_DATABASE_URL: z.string().min(1) }), process.env)
  const applied = await migrate(settings.OWNER_DATABASE_URL, directory)
  process.stdout.write(`${applied.length === 0 ? 'Nothing to migrate' : `Applied ${applied.join(', ')}`}\n`)
}

/** Applies each numbered .sql file once, each in a transaction of its own; several at once wait for each other. */
export async function migrate(ownerUrl: string, directory: string): Promise<string[]> {
  const migrations = [...(await readMigrations('kit', kitMigrations)), ...(await readMigrations('service', directory))]
  const client = new pg.Client({ connectionString: ownerUrl })
  await client.connect()
  try {
    // Per schema, since roles of different schemas share the database: the lock's key is made of both names.
    await client.query('select pg_advisory_lock(hashtextextended($1 || current_schema(), 0))', [lockName])
    return await applyMissing(client, migrations)
  } finally {
    await client.end()
  }
}

async function readMigrations(prefix: string, directory: string): Promise<Migration[]> {
  const files = (await readdir(directory)).filter((file) => file.endsWith('.sql')).toSorted()
  return Promise.all(
    files.map(async (file) => {
      const text = await readFile(join(directory, file), 'utf8')
      return { name: `${prefix}/${file}`, text, checksum: createHash('sha256').update(text).digest('hex') }
    }),
  )
}

async function applyMissing(client: pg.Client, migrations: readonly Migration[]): Promise<string[]> {
  await client.query(
    'create table if not exists schema_migrations (name text primary key, checksum text not null, applied_at timestamptz not null default now())',
  )
  const { rows } = await client.query<{ name: string; checksum: string }>(
    'select name, checksum from schema_migrations',
  )
  const known = new Map(rows.map((row) => [row.name, row.checksum]))
  const applied: string[] = []
  for (const migration of migrations) {
    const checksum = known.get(migration.name)
    if (checksum === undefined) {
      await applyOne(client, migration)
      applied.push(migration.name)
    } else if (checksum !== migration.checksum) {
      throw new Error(`Migration ${migration.name} was changed after it had been applied.`)
    }
  }
  return applied
}

async function applyOne(client: pg.Client, migration: Migration): Promise<void> {
  try {
    await client.query('begin')
    await client.query(migration.text)
    await client.query('insert into schema_migrations (name, checksum) values ($1, $2)', [
      migration.name,
      migration.checksum,
    ])
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw new Error(`Migration ${migration.name} failed.`, { cause: error })
  }
}
