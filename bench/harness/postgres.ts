import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '@marketplace/stack/servers/postgres/postgres.ts'
import { testDatabase, type TestDatabase } from '@marketplace/testing/database.ts'
import pg from 'pg'
import { serverVersion } from './stack.ts'

export interface BenchDatabase extends TestDatabase {
  version(): Promise<string>
  stop(): Promise<void>
}

/** Starts a Postgres that is as durable as in production, with the schemas of these services. */
export async function startBenchDatabase(...services: readonly string[]): Promise<BenchDatabase> {
  const dataDir = await mkdtemp(join(tmpdir(), 'marketplace-bench-'))
  const postgres = await startPostgres({ dataDir, durable: true })
  process.env['TEST_ADMIN_URL'] = postgres.adminUrl
  const database = await testDatabase(...services)
  return {
    ...database,
    async version() {
      const client = new pg.Client({ connectionString: postgres.adminUrl })
      await client.connect()
      return serverVersion(client).finally(() => client.end())
    },
    async stop() {
      await postgres.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
