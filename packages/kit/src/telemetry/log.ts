import { trace } from './trace.ts'
import { pino, type Logger } from 'pino'

export type Log = Logger

// Log lines are buffered, because one write per line would cost 5 % of the gateway's time per request. The buffer is
// flushed on exit, even after an error. SIGKILL loses the lines of the last 100 ms.
const lines = { minLength: 8192, periodicFlush: 100, sync: false }

/** Opens a logger that writes JSON lines to stdout. Lines of a request or event carry its request and trace ids. */
export function openLog(service: string, level: string): Log {
  const options = {
    level,
    base: { service },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    mixin: () => trace.current() ?? {},
    // Merges into a new object. Pino's default adds a line's fields to the context object, which all lines of a request
    // share, so the fields would also appear in the next line.
    mixinMergeStrategy: (fields: object, context: object) => ({ ...context, ...fields }),
    redact: ['req.headers.authorization', 'req.headers.cookie'],
  }
  return pino(options, pino.destination(lines))
}
