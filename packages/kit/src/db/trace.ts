import type { LogEvent } from 'kysely'
import { isRecording, startSpan, trace } from '../telemetry/trace.ts'

/** Records a finished statement as a span of the current request or event. */
export function traceStatement({ level, query, queryDurationMillis }: LogEvent): void {
  const context = trace.current()
  if (!context || !isRecording()) return
  const { requestId, traceparent: parent } = context
  const text = query.sql.trim()
  const [verb = 'statement'] = text.split(/\s/, 1)
  const startedAt = Date.now() - queryDurationMillis
  const span = startSpan({ kind: 'client', name: verb.toLowerCase(), parent, requestId, startedAt })
  // The span contains the statement without its parameters, because they can contain personal data.
  span.end({ attributes: { 'db.system.name': 'postgresql', 'db.query.text': text }, hasFailed: level === 'error' })
}
