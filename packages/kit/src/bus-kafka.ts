import type { Bus } from './bus.ts'
import type { Log } from './log.ts'

export function openKafkaBus(_brokers: readonly string[], _log: Log): Bus {
  throw new Error('not yet')
}
