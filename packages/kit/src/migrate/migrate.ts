import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { z } from 'zod'
import { readSettings, serviceSettings, SettingsError } from '../config/config.ts'
import { connectWithRetry } from '../db/connect-with-retry.ts'
import { createPartitions } from '../partitions/create-partitions.ts'
import { dropPartitions } from '../partitions/drop-partitions.ts'
import { readTime } from '../partitions/partition.ts'
import { applyMigration } from './apply-migration.ts'
import { waitForRetry, type WaitForRetry } from './lock-retry.ts'
import { readMigrations, type Migration } from './migrations.ts'
import { checkRelease, checkSchema, type EnsureTopics } from './release-checks.ts'

const lockName = 'marketplace.migrate'
const connectTimeoutMs = 30_000
const lockPollMs = 100

/**
 * Implements a service's `migrate.ts`: applies the migrations of kit and of the service as the role of
 * OWNER_DATABASE_URL, creates the partitions of the next days and drops expired partitions. With `--partitions`,
 * applies no migrations. With `--release <topics>`, drops nothing, checks the role with which the service runs and
 * creates the topics. With `--check`, applies nothing and checks as the role of DATABASE_URL that all migrations are
 * applied. Prints a SettingsError as one sentence and sets exit code 1.
 */
export async function migrateCommand(directory: string, ensureTopics: EnsureTopics): Promise<void> {
  const [mode, ...topics] = process.argv.slice(2)
  try {
    const summary = await run(directory, mode)
    if (mode === '--release') await checkRelease(topics, ensureTopics)
    process.stdout.write(`${summary}\n`)
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exitCode = 1
  }
}

async function run(directory: string, mode: string | undefined): Promise<string> {
  if (mode === '--check') return checkSchema(directory)
  if (mode === '--partitions') return maintainPartitions()
  const applied = await migrateAsOwner(directory)
  return mode === '--release' ? applied : `${applied}. ${await maintainPartitions()}`
}

const ownerSettings = z.object({ OWNER_DATABASE_URL: z.string().min(1) })

async function migrateAsOwner(directory: string): Promise<string> {
  const settings = readSettings(ownerSettings, process.env)
  const applied = await migrate(settings.OWNER_DATABASE_URL, directory, announceRetry)
  return applied.length === 0 ? 'Nothing to migrate' : `Applied ${applied.join(', ')}`
}

async function maintainPartitions(): Promise<string> {
  const { OUTBOX_RETENTION_MS, INBOX_RETENTION_MS } = serviceSettings.shape
  const settings = readSettings(ownerSettings.extend({ OUTBOX_RETENTION_MS, INBOX_RETENTION_MS }), process.env)
  const dropped = await asOwner(settings.OWNER_DATABASE_URL, async (client) => {
    const options = { now: await readTime(client), wait: announceRetry }
    await createPartitions(client, options)
    return dropPartitions(client, settings, options)
  })
  return dropped.length === 0 ? 'No partition has expired' : `Dropped ${dropped.join(', ')}`
}

const announceRetry: WaitForRetry = (delayMs, subject) => {
  process.stdout.write(`${subject} got no lock; next attempt in ${delayMs / 1000} s\n`)
  return waitForRetry(delayMs, subject)
}

/**
 * Applies missing migrations, then creates the partitions for today and the next three days. Returns the names of the
 * applied migrations. A lock prevents concurrent runs.
 */
export async function migrate(ownerUrl: string, directory: string, wait = waitForRetry): Promise<string[]> {
  return applyMigrations(ownerUrl, await readMigrations(directory), wait)
}

/** Does what `migrate` does, for the given migrations. */
export function applyMigrations(
  ownerUrl: string,
  migrations: readonly Migration[],
  wait = waitForRetry,
): Promise<string[]> {
  return asOwner(ownerUrl, async (client) => {
    const applied = await applyMissing(client, migrations, wait)
    await createPartitions(client, { now: await readTime(client), wait })
    return applied
  })
}

async function asOwner<Result>(ownerUrl: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = await connectWithRetry('OWNER_DATABASE_URL', ownerUrl, connectTimeoutMs)
  try {
    await lockMigrations(client)
    return await work(client)
  } finally {
    await client.end()
  }
}

// Polls for the migration lock instead of waiting for it in one long statement. If the process that holds the lock
// builds an index concurrently, Postgres makes the build wait for that statement, and the two processes would deadlock.
async function lockMigrations(client: pg.Client): Promise<void> {
  // The key includes the schema, because services with different schemas share one database.
  const lock = 'select pg_try_advisory_lock(hashtextextended($1 || current_schema(), 0)) as "isLocked"'
  while (!(await client.query<{ isLocked: boolean }>(lock, [lockName])).rows[0]?.isLocked) await sleep(lockPollMs)
}

async function applyMissing(
  client: pg.Client,
  migrations: readonly Migration[],
  wait: WaitForRetry,
): Promise<string[]> {
  await client.query(
    'create table if not exists schema_migrations (name text primary key, checksum text not null, applied_at timestamptz not null default now())',
  )
  const { rows } = await client.query<{ name: string; checksum: string }>(
    'select name, checksum from schema_migrations',
  )
  const checksums = new Map(rows.map((row) => [row.name, row.checksum]))
  const applied: string[] = []
  for (const migration of migrations) {
    const checksum = checksums.get(migration.name)
    if (checksum === undefined) {
      await applyMigration(client, migration, wait)
      applied.push(migration.name)
    } else if (checksum !== migration.checksum) {
      throw new Error(`Migration ${migration.name} was changed after it had been applied.`)
    }
  }
  return applied
}
