import type { Places, Ports, ProgramName, Settings } from '../wiring.ts'
import type { DataDir, Secrets } from './data-dir.ts'
import type { Database } from './database.ts'
import type { Program } from './program.ts'

export type StackOptions = {
  /** The gateway's; 0 for any free one. */
  readonly port: number
  readonly dataDir: string
  readonly host?: string
  readonly publicOrigin?: string
  readonly seedDemo?: boolean
  /** An admin's address; the roles and schemas are made there instead of in a Postgres of our own. */
  readonly databaseUrl?: string
  /** The database that is made there, `marketplace` unless tests want one of their own. */
  readonly databaseName?: string
  readonly kafkaBrokers?: string
  /** KAFKA_CLIENT of the services. */
  readonly kafkaClient?: string
  readonly redisUrl?: string
  readonly oidc?: Places['oidc']
  readonly stripe?: Places['stripe']
  /** Several processes of a program, sharing its port. */
  readonly replicas?: Partial<Record<ProgramName, number>>
  /** Settings of single programs besides those of wiring.ts. */
  readonly env?: Partial<Record<ProgramName, Settings>>
  /** False: the local card network sends none. */
  readonly webhooks?: boolean
  /** Node's, of every process; small heaps unless told. */
  readonly nodeFlags?: readonly string[]
  /** Started by `startStack`; the others wait for their `start()`. */
  readonly only?: readonly ProgramName[]
  /** False only for tests: no fsync. */
  readonly durable?: boolean
  /** Of the stack's own Postgres, as `shared_buffers` takes it. */
  readonly sharedBuffers?: string
  readonly report?: (line: string) => void
}

export type Stack = {
  readonly url: string
  /** The marketplace database, as its admin. */
  readonly adminUrl: string
  readonly services: Readonly<Record<ProgramName, Program>>
  readonly postgres: Pick<Database, 'pid'>
  readonly secrets: Secrets
  stop(): Promise<void>
}

/** What the parts of a stack that is starting share. */
export type Boot = {
  readonly options: StackOptions
  readonly dataDir: DataDir
  readonly ports: Ports
  readonly origin: string
  readonly logDir: string
  /** Run from the last to the first when the stack stops or cannot start. */
  readonly stops: (() => Promise<void>)[]
}
