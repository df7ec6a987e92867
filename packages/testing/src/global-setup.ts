import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '@marketplace/dev/postgres.ts'

/** One real Postgres for a test run; each test file clones a database of its own from a template. */
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
