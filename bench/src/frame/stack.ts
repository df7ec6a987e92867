import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startStack, type Stack, type StackOptions } from '@marketplace/dev/stack.ts'
import pg from 'pg'

/** Runs part of the marketplace, empty, on durable storage and free ports, in a folder that goes with it. */
export async function withStack<Result>(
  options: Partial<StackOptions>,
  use: (stack: Stack) => Promise<Result>,
): Promise<Result> {
  const dataDir = await mkdtemp(join(tmpdir(), 'marketplace-bench-'))
  try {
    const stack = await startStack({ port: 0, dataDir, seedDemo: false, durable: true, ...options })
    try {
      return await use(stack)
    } finally {
      await stack.stop()
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}

/** A connection that sees everything, in a service's schema. */
export async function connect(adminUrl: string, schema: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: `${adminUrl}?options=-c%20search_path%3D${schema},extensions` })
  await client.connect()
  return client
}

export async function serverVersion(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ server_version: string }>('show server_version')
  return `Postgres ${rows[0]?.server_version ?? '?'}`
}
