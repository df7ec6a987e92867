import { rmSync } from 'node:fs'
import pg from 'pg'
import { startStack, type Stack } from '@marketplace/stack/launcher/stack.ts'
import { withoutPages } from '@marketplace/stack/launcher/topology.ts'

export interface Services {
  readonly stack: Stack
  /** Connected to the marketplace database as its admin. */
  readonly admin: pg.Client
  /** Stops the stack and deletes its folder. */
  stop(): Promise<void>
}

/** Starts a stack without pages in the given folder. */
export async function startServices(dataDir: string): Promise<Services> {
  const stack = await startStack({ port: 0, dataDir, durable: false, only: withoutPages })
  const admin = new pg.Client({ connectionString: stack.adminUrl })
  await admin.connect()
  const stop = async () => {
    await admin.end()
    await stack.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
  return { stack, admin, stop }
}
