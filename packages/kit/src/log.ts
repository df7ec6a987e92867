import { trace } from './trace.ts'
import { pino, type Logger } from 'pino'

export type Log = Logger

/** JSON lines on standard output; request and trace ids are added inside a request or an event. */
export function openLog(service: string, level: string): Log {
  return pino({
    level,
    base: { service },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    mixin: () => trace.current() ?? {},
    redact: ['req.headers.authorization', 'req.headers.cookie'],
  })
}
