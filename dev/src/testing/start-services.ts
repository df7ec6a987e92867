import { rmSync } from 'node:fs'
import pg from 'pg'
import { startStack, type Stack } from '../stack.ts'
import { withoutPages } from '../wiring.ts'

export type Services = {
  readonly stack: Stack
  /** The marketplace's database, as its admin. */
  readonly admin: pg.Client
  /** Stops all of it and removes the folder. */
  stop(): Promise<void>
}

/** A stack without pages in a folder of a test's own. */
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
