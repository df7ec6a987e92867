import { startPostgres, type RunningPostgres } from '../servers/postgres/postgres.ts'
import { setTimeout as sleep } from 'node:timers/promises'

export interface DatabaseOptions {
  readonly dataDir: string
  readonly port: number
  readonly durable: boolean
  readonly sharedBuffers?: string | undefined
  readonly report: (line: string) => void
}

export interface Database {
  readonly adminUrl: string
  /** Undefined for an external server. */
  pid(): number | undefined
  stop(): Promise<void>
}

const restartDelayMs = 500

/** Runs the stack's own Postgres and restarts it when it exits. */
export async function runDatabase({ report, ...options }: DatabaseOptions): Promise<Database> {
  let postgres = await startPostgres(options)
  let isWanted = true
  const restart = async (): Promise<void> => {
    try {
      postgres = await startPostgres({ ...options, port: postgres.port })
    } catch (error) {
      report(`Postgres: ${error instanceof Error ? error.message : String(error)}`)
      await sleep(restartDelayMs)
    }
  }
  const keepAlive = async (running: RunningPostgres): Promise<void> => {
    await running.exited
    if (!isWanted) return
    report('Postgres exited and is restarted')
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

/** Returns an external server at the given URL, which this stack neither starts nor stops. */
export function externalDatabase(adminUrl: string): Database {
  return { adminUrl, pid: () => undefined, stop: async () => {} }
}
