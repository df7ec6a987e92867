import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '@marketplace/stack/servers/postgres/postgres.ts'
import pg from 'pg'

/** Runs a durable Postgres that records when each transaction committed: `pg_xact_commit_timestamp(xmin)`. */
export async function withCommitTimes<Result>(use: (adminUrl: string) => Promise<Result>): Promise<Result> {
  const dataDir = await mkdtemp(join(tmpdir(), 'marketplace-bench-'))
  try {
    const first = await startPostgres({ dataDir, durable: true })
    const client = new pg.Client({ connectionString: first.adminUrl })
    await client.connect()
    await client.query('alter system set track_commit_timestamp = on')
    await client.end()
    await first.stop()
    const postgres = await startPostgres({ dataDir, durable: true })
    try {
      return await use(postgres.adminUrl)
    } finally {
      await postgres.stop()
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}
