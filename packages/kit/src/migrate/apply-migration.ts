import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Migration } from './migrations.ts'

// Maximum time that a migration waits for a table lock. Other statements on the table wait behind the migration, so this is
// also the longest time for which it blocks them.
const lockTimeoutMs = 500
// Maximum number of attempts. All attempts and the delays between them take about 220 s, which is less than the deadline of
// the migration Job.
const maxAttempts = 12
const maxDelayMs = 30_000

/** Waits `delayMs` before the next attempt at a migration whose lock was not available. */
export type WaitForRetry = (delayMs: number, migration: Migration) => Promise<void>

export const waitForRetry: WaitForRetry = (delayMs) => sleep(delayMs)

/** Applies one migration: in a transaction, or statement by statement if it creates indexes concurrently. */
export async function applyMigration(client: pg.Client, migration: Migration, wait: WaitForRetry): Promise<void> {
  try {
    await (migration.isConcurrent ? applyConcurrently(client, migration) : applyWithRetry(client, migration, wait))
  } catch (error) {
    throw new Error(`Migration ${migration.name} failed.`, { cause: error })
  }
}

async function applyWithRetry(client: pg.Client, migration: Migration, wait: WaitForRetry): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await applyInTransaction(client, migration)
    } catch (error) {
      if (!isLockUnavailable(error) || attempt === maxAttempts) throw error
      await wait(Math.min(1000 * 2 ** (attempt - 1), maxDelayMs), migration)
    }
  }
}

async function applyInTransaction(client: pg.Client, migration: Migration): Promise<void> {
  try {
    await client.query(`begin; set local lock_timeout = ${lockTimeoutMs}`)
    await client.query(migration.text)
    await recordApplied(client, migration)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}

// Applies a migration that builds indexes concurrently. It has no lock timeout, because a concurrent index build waits for
// open transactions without blocking reads and writes.
async function applyConcurrently(client: pg.Client, migration: Migration): Promise<void> {
  await dropInvalidIndexes(client)
  for (const statement of statementsOf(migration.text)) await client.query(statement)
  await recordApplied(client, migration)
}

// Drops the invalid indexes that failed concurrent builds have left, because `create index if not exists` would accept them.
// No running build has an invalid index here, because this session holds the migration lock.
async function dropInvalidIndexes(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select c.oid::regclass::text as name from pg_index i join pg_class c on c.oid = i.indexrelid
     where not i.indisvalid and c.relkind = 'i' and c.relnamespace = current_schema()::regnamespace`,
  )
  for (const { name } of rows) await client.query(`drop index concurrently if exists ${name}`)
}

// Splits a migration into statements. If Postgres receives several statements in one query, it runs them as one transaction
// and rejects concurrent index builds.
function statementsOf(text: string): string[] {
  return text
    .replaceAll(/^--.*$/gm, '')
    .split(/;\s*$/m)
    .map((statement) => statement.trim())
    .filter((statement) => statement.length > 0)
}

async function recordApplied(client: pg.Client, { name, checksum }: Migration): Promise<void> {
  await client.query('insert into schema_migrations (name, checksum) values ($1, $2)', [name, checksum])
}

// Returns whether a lock was not available: `lock_not_available` (55P03), or `deadlock_detected` (40P01) if another
// transaction holds several locks.
function isLockUnavailable(error: unknown): boolean {
  return error instanceof pg.DatabaseError && (error.code === '55P03' || error.code === '40P01')
}
