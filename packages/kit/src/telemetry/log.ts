import { trace } from './trace.ts'
import { pino, type Logger } from 'pino'

export type Log = Logger

// Buffered: one write per line would be 5 % of the cost of a request at the gateway.
// The buffer is flushed on exit, also after an error; SIGKILL loses the lines of up to 100 ms.
const lines = { minLength: 8192, periodicFlush: 100, sync: false }

/** Opens a logger that writes JSON lines to stdout. Lines of a request or event carry its request and trace ids. */
export function openLog(service: string, level: string): Log {
  const options = {
    level,
    base: { service },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    mixin: () => trace.current() ?? {},
    // Pino's default merges the fields into the context object, so they would appear in the request's next line.
    mixinMergeStrategy: (fields: object, context: object) => ({ ...context, ...fields }),
    redact: ['req.headers.authorization', 'req.headers.cookie'],
  }
  return pino(options, pino.destination(lines))
}
