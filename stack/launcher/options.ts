import type { Topology, Ports, ProgramName, Settings } from './topology.ts'
import type { DataDir, Secrets } from './data-dir.ts'
import type { Database } from './database.ts'
import type { Program } from '../processes/program.ts'

export interface StackOptions {
  /** The gateway's port; 0 for any free one. */
  readonly port: number
  readonly dataDir: string
  readonly host?: string
  readonly publicOrigin?: string
  readonly seedDemo?: boolean
  /** The admin's URL of an external Postgres, in which roles and schemas are created instead of in the stack's own. */
  readonly databaseUrl?: string
  /** The name of the database; `marketplace` by default. Tests use their own. */
  readonly databaseName?: string
  readonly kafkaBrokers?: string
  readonly redisUrl?: string
  readonly oidc?: Topology['oidc']
  readonly stripe?: Topology['stripe']
  /** The number of processes of a program, which share its port. */
  readonly replicas?: Partial<Record<ProgramName, number>>
  /** Settings of single programs, in addition to those of topology.ts. */
  readonly env?: Partial<Record<ProgramName, Settings>>
  /** False: the local card network sends no webhooks. */
  readonly webhooks?: boolean
  /** Node's flags for every process. The default limits the heap. */
  readonly nodeFlags?: readonly string[]
  /** The programs that `startStack` starts; the others wait for their `start()`. */
  readonly only?: readonly ProgramName[]
  /** False disables fsync, for tests only. */
  readonly durable?: boolean
  /** Of the stack's own Postgres, in the format of `shared_buffers`. */
  readonly sharedBuffers?: string
  readonly report?: (line: string) => void
}

export interface Stack {
  readonly url: string
  /** The admin's URL of the marketplace database. */
  readonly adminUrl: string
  readonly services: Readonly<Record<ProgramName, Program>>
  readonly postgres: Pick<Database, 'pid'>
  readonly secrets: Secrets
  /** Resolves when the demo data is complete, or has failed. The marketplace is usable before. */
  readonly demoReady: Promise<void>
  stop(): Promise<void>
}

/** State shared by the parts of a starting stack. */
export interface Boot {
  readonly options: StackOptions
  readonly dataDir: DataDir
  readonly ports: Ports
  readonly origin: string
  readonly logDir: string
  /** Run in reverse order when the stack stops or fails to start. */
  readonly stops: (() => Promise<void>)[]
}
