import type { Bus } from './bus.ts'
import type { Log } from './log.ts'

export interface RelayOptions {
  /** The service's database, reached directly: its session lock would be lost through a pooler. */
  databaseUrl: string
  /** The pool whose commits wake the relay. */
  db: object
  bus: Bus
  log: Log
  pollMs?: number
}

export interface Relay {
  stop(): Promise<void>
  isLeader(): boolean
}

export function startRelay(_options: RelayOptions): Relay {
  throw new Error('not yet')
}
