import type { TestDatabase } from '@marketplace/testing/database.ts'
import pg from 'pg'
import { applyMigration } from '../migrate/apply-migration.ts'
import { waitForRetry } from '../migrate/lock-retry.ts'
import { readMigrations } from '../migrate/migrations.ts'

/** Applies the migrations of kit with numbers below `number` in the schema of the owner. */
export async function applyMigrationsBefore(database: TestDatabase, folder: string, number: string): Promise<void> {
  const owner = new pg.Client({ connectionString: database.ownerUrl })
  await owner.connect()
  await owner.query(
    'create table schema_migrations (name text primary key, checksum text not null, applied_at timestamptz not null default now())',
  )
  const migrations = await readMigrations(folder)
  for (const migration of migrations.filter(({ name }) => name < `kit/${number}`))
    await applyMigration(owner, migration, waitForRetry)
  await owner.end()
}
