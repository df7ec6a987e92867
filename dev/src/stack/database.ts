import { startPostgres, type RunningPostgres } from '../postgres.ts'
import { setTimeout as sleep } from 'node:timers/promises'

export type DatabaseOptions = {
  readonly dataDir: string
  readonly port: number
  readonly durable: boolean
  readonly sharedBuffers?: string | undefined
  readonly report: (line: string) => void
}

export type Database = {
  readonly adminUrl: string
  /** Undefined when the server is not ours. */
  pid(): number | undefined
  stop(): Promise<void>
}

const AGAIN_MS = 500

/** The stack's own Postgres, started again when it dies. */
export async function runDatabase({ report, ...options }: DatabaseOptions): Promise<Database> {
  let postgres = await startPostgres(options)
  let isWanted = true
  const restart = async (): Promise<void> => {
    try {
      postgres = await startPostgres({ ...options, port: postgres.port })
    } catch (error) {
      report(`Postgres: ${error instanceof Error ? error.message : String(error)}`)
      await sleep(AGAIN_MS)
    }
  }
  const keepAlive = async (running: RunningPostgres): Promise<void> => {
    await running.exited
    if (!isWanted) return
    report('Postgres ended and is started again')
    await restart()
    return keepAlive(postgres)
  }
  void keepAlive(postgres)
  return {
    adminUrl: postgres.adminUrl,
    pid: () => postgres.pid,
    async stop() {
      isWanted = false
      await postgres.stop()
    },
  }
}

/** A server that someone else runs. */
export function givenDatabase(adminUrl: string): Database {
  return { adminUrl, pid: () => undefined, stop: async () => {} }
}
