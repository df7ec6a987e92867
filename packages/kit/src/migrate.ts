import type pg from 'pg'
import { z } from 'zod'
import { readSettings, SettingsError } from './config.ts'
import { connectBy } from './connect-by.ts'
import { readMigrations, type Migration } from './migrations.ts'
import { checkRelease, checkSchema } from './release-checks.ts'

const lockName = 'marketplace.migrate'
const patienceMs = 30_000

/**
 * The command of a service's `migrate.ts`: applies kit's and the service's migrations as OWNER_DATABASE_URL. With `--release`
 * and names of topics it also tries the running role and makes the topics; `--check` only says, as DATABASE_URL, whether all
 * is applied. What does not work is one sentence.
 */
export async function migrateCommand(directory: string): Promise<void> {
  const [mode, ...topics] = process.argv.slice(2)
  try {
    const said = mode === '--check' ? await checkSchema(directory) : await migrateAsOwner(directory)
    if (mode === '--release') await checkRelease(topics)
    process.stdout.write(`${said}\n`)
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exitCode = 1
  }
}

async function migrateAsOwner(directory: string): Promise<string> {
  const settings = readSettings(z.object({ OWNER_DATABASE_URL: z.string().min(1) }), process.env)
  const applied = await migrate(settings.OWNER_DATABASE_URL, directory)
  return applied.length === 0 ? 'Nothing to migrate' : `Applied ${applied.join(', ')}`
}

/** Applies each numbered .sql file once, each in a transaction of its own; several at once wait for each other. */
export async function migrate(ownerUrl: string, directory: string): Promise<string[]> {
  const migrations = await readMigrations(directory)
  const client = await connectBy('OWNER_DATABASE_URL', ownerUrl, patienceMs)
  try {
    // Per schema, since roles of different schemas share the database: the lock's key is made of both names.
    await client.query('select pg_advisory_lock(hashtextextended($1 || current_schema(), 0))', [lockName])
    return await applyMissing(client, migrations)
  } finally {
    await client.end()
  }
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
