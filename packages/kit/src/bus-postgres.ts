import type { Bus } from './bus.ts'
import type { Log } from './log.ts'

export function openPostgresBus(_url: string, _log: Log): Bus {
  throw new Error('not yet')
}
