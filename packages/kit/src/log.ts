import { trace } from './trace.ts'
import { pino, type Logger } from 'pino'

export type Log = Logger

// A write for each line is a twentieth of what a request costs the gateway. What waits is written when the process exits,
// also by an error; a kill takes the lines of the last moment along.
const lines = { minLength: 8192, periodicFlush: 100, sync: false }

/** JSON lines on standard output; request and trace ids are added inside a request or an event. */
export function openLog(service: string, level: string): Log {
  const options = {
    level,
    base: { service },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    mixin: () => trace.current() ?? {},
    // Pino's own way would write the line's fields into the request's context, and so into its next line.
    mixinMergeStrategy: (fields: object, context: object) => ({ ...context, ...fields }),
    redact: ['req.headers.authorization', 'req.headers.cookie'],
  }
  return pino(options, pino.destination(lines))
}
