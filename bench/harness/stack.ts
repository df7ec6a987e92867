import type { Stack, StackOptions } from '@marketplace/stack/launcher/stack.ts'
import { withStack as withUsualStack } from '@marketplace/stack/launcher/with-stack.ts'
import pg from 'pg'

// The heap size of the images; every side of a comparison gets it.
export const youngHeap = '--max-semi-space-size=4'

/** Runs part of the marketplace, empty, on durable storage and with the images’ heap size. */
export function withStack<Result>(
  options: Partial<StackOptions>,
  use: (stack: Stack) => Promise<Result>,
): Promise<Result> {
  return withUsualStack({ seedDemo: false, durable: true, nodeFlags: [youngHeap], ...options }, use)
}

/** Connects to a service's schema as the admin. */
export async function connect(adminUrl: string, schema: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: `${adminUrl}?options=-c%20search_path%3D${schema},extensions` })
  await client.connect()
  return client
}

export async function serverVersion(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ server_version: string }>('show server_version')
  return `Postgres ${rows[0]?.server_version ?? '?'}`
}
