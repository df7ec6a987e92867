import type pg from 'pg'
import { runWithLockRetry, type WaitForRetry } from './lock-retry.ts'
import type { Migration } from './migrations.ts'

/** Applies one migration: in a transaction, or statement by statement if it creates indexes concurrently. */
export async function applyMigration(client: pg.Client, migration: Migration, wait: WaitForRetry): Promise<void> {
  try {
    await (migration.isConcurrent ? applyConcurrently(client, migration) : applyInTransaction(client, migration, wait))
  } catch (error) {
    throw new Error(`Migration ${migration.name} failed.`, { cause: error })
  }
}

function applyInTransaction(client: pg.Client, migration: Migration, wait: WaitForRetry): Promise<void> {
  return runWithLockRetry(client, { subject: `Migration ${migration.name}`, wait }, async () => {
    await client.query(migration.text)
    await recordApplied(client, migration)
  })
}

// Applies a migration that builds indexes concurrently. No lock timeout is needed, because a concurrent index build
// waits for open transactions without blocking reads and writes.
async function applyConcurrently(client: pg.Client, migration: Migration): Promise<void> {
  await dropInvalidIndexes(client)
  for (const statement of statementsOf(migration.text)) await client.query(statement)
  await recordApplied(client, migration)
}

// Drops invalid indexes left by failed concurrent builds, because `create index if not exists` would skip them. The
// caller must hold the migration lock, because an index is also invalid while it is being built.
async function dropInvalidIndexes(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select c.oid::regclass::text as name from pg_index i join pg_class c on c.oid = i.indexrelid
     where not i.indisvalid and c.relkind = 'i' and c.relnamespace = current_schema()::regnamespace`,
  )
  for (const { name } of rows) await client.query(`drop index concurrently if exists ${name}`)
}

// Splits a migration into statements that are sent separately. Statements sent together would run in one transaction,
// in which Postgres cannot build an index concurrently.
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
