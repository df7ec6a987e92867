import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '@marketplace/stack/servers/postgres/postgres.ts'

/** Starts one Postgres server per test run. Each test file clones its own database from a template. */
export async function setup(): Promise<(() => Promise<void>) | undefined> {
  if (process.env['TEST_ADMIN_URL']) return undefined
  const dataDir = await mkdtemp(join(tmpdir(), 'marketplace-test-'))
  const postgres = await startPostgres({ dataDir, durable: false })
  process.env['TEST_ADMIN_URL'] = postgres.adminUrl
  return async () => {
    await postgres.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}
