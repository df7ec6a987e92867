import type pg from 'pg'
import { z } from 'zod'
import type { BusSettings, KafkaSettings } from '../events/bus.ts'
import { busSettings, readSettings, SettingsError } from '../config/config.ts'
import { connectWithRetry } from '../db/connect-with-retry.ts'
import { readMigrations } from './migrations.ts'

const connectTimeoutMs = 60_000

/** Creates missing topics. Resolves when each partition has a leader. */
export type EnsureTopics = (settings: KafkaSettings, topics: readonly string[]) => Promise<void>

/**
 * Checks, with the service's own database role, that all migrations are applied. Returns the result as a sentence, or
 * throws a SettingsError if a migration is missing.
 */
export async function checkSchema(directory: string): Promise<string> {
  const settings = readSettings(z.object({ DATABASE_URL: z.string().min(1) }), process.env)
  const client = await connectWithRetry('DATABASE_URL', settings.DATABASE_URL, connectTimeoutMs)
  try {
    const applied = new Set(await appliedNames(client))
    const missing = (await readMigrations(directory)).map(({ name }) => name).filter((name) => !applied.has(name))
    if (missing.length === 0) return 'The schema is up to date.'
    throw new SettingsError(`The schema is too old: ${missing.join(', ')} must be applied first.`)
  } finally {
    await client.end()
  }
}

async function appliedNames(client: pg.Client): Promise<string[]> {
  const { rows: tables } = await client.query<{ is_there: boolean }>(
    "select to_regclass('schema_migrations') is not null as is_there",
  )
  if (!tables[0]?.is_there) return []
  const { rows } = await client.query<{ name: string }>('select name from schema_migrations')
  return rows.map(({ name }) => name)
}

/**
 * Checks that the service's database role cannot change the schema, then creates the missing topics. Runs once per
 * release, before any pod of the new version starts.
 */
export async function checkRelease(topics: readonly string[], ensureTopics: EnsureTopics): Promise<void> {
  const settings = readSettings(busSettings.extend({ DATABASE_URL: z.string().min(1) }), process.env)
  await checkRunningRole(settings.DATABASE_URL)
  if (topics.length > 0) await createTopics(settings, topics, ensureTopics)
}

async function checkRunningRole(url: string): Promise<void> {
  const client = await connectWithRetry('DATABASE_URL', url)
  try {
    const { rows } = await client.query<{ may_create: boolean; role: string }>(
      "select current_user as role, coalesce(has_schema_privilege(current_schema(), 'CREATE'), false) as may_create",
    )
    if (rows[0]?.may_create)
      throw new SettingsError(`DATABASE_URL must not use the role ${rows[0].role}, because it can change the schema.`)
  } finally {
    await client.end()
  }
}

async function createTopics(
  settings: BusSettings,
  topics: readonly string[],
  ensureTopics: EnsureTopics,
): Promise<void> {
  const { KAFKA_BROKERS: brokers } = settings
  if (brokers === undefined) throw new SettingsError('KAFKA_BROKERS is required to create topics.')
  try {
    await ensureTopics({ ...settings, KAFKA_BROKERS: brokers }, topics)
  } catch (error) {
    throw new SettingsError(
      `KAFKA_BROKERS does not work: ${brokers} (${error instanceof Error ? error.message : String(error)}).`,
      { cause: error },
    )
  }
}
