import type pg from 'pg'
import { z } from 'zod'
import type { BusSettings } from './bus.ts'
import { ensureTopics } from './bus-kafka-topics.ts'
import { busSettings, readSettings, SettingsError } from './config.ts'
import { connectBy } from './connect-by.ts'
import { readMigrations } from './migrations.ts'

const patienceMs = 60_000

/** As the running role, before a pod starts: every migration that its code was written for is applied. */
export async function checkSchema(directory: string): Promise<string> {
  const settings = readSettings(z.object({ DATABASE_URL: z.string().min(1) }), process.env)
  const client = await connectBy('DATABASE_URL', settings.DATABASE_URL, patienceMs)
  try {
    const applied = new Set(await appliedNames(client))
    const missing = (await readMigrations(directory)).map(({ name }) => name).filter((name) => !applied.has(name))
    if (missing.length === 0) return 'The schema is as new as the code.'
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

/** What a release needs besides its schema, asked before any pod of it starts. */
export async function checkRelease(topics: readonly string[]): Promise<void> {
  const settings = readSettings(busSettings.extend({ DATABASE_URL: z.string().min(1) }), process.env)
  await checkRunningRole(settings.DATABASE_URL)
  if (topics.length > 0) await makeTopics(settings, topics)
}

async function checkRunningRole(url: string): Promise<void> {
  const client = await connectBy('DATABASE_URL', url)
  try {
    const { rows } = await client.query<{ may_create: boolean; role: string }>(
      "select current_user as role, coalesce(has_schema_privilege(current_schema(), 'CREATE'), false) as may_create",
    )
    if (rows[0]?.may_create)
      throw new SettingsError(
        `DATABASE_URL does not work: its role ${rows[0].role} may change the schema, which only the owner's may.`,
      )
  } finally {
    await client.end()
  }
}

async function makeTopics(settings: BusSettings, topics: readonly string[]): Promise<void> {
  const { KAFKA_BROKERS: brokers } = settings
  if (brokers === undefined) throw new SettingsError('Wrong or missing setting: KAFKA_BROKERS (it makes the topics).')
  try {
    await ensureTopics({ ...settings, KAFKA_BROKERS: brokers }, topics)
  } catch (error) {
    throw new SettingsError(
      `KAFKA_BROKERS does not work: ${brokers} (${error instanceof Error ? error.message : String(error)}).`,
      { cause: error },
    )
  }
}
