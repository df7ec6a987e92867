import { AsyncLocalStorage } from 'node:async_hooks'
import { randomHex } from './random-bytes.ts'

export interface TraceContext {
  requestId: string
  /** W3C trace context, see https://www.w3.org/TR/trace-context/ */
  traceparent: string
}

export type Attributes = Readonly<Record<string, string | number | boolean>>

export interface SpanStart {
  name: string
  kind: 'server' | 'client' | 'consumer'
  /** The traceparent of what led to it; missing or malformed, a new trace begins. */
  parent: string | null | undefined
  requestId: string
  /** Milliseconds since 1970; now unless told. */
  startedAt?: number
}

export interface SpanEnd {
  /** A better name than at the start, as a route's template. */
  name?: string
  attributes?: Attributes
  hasFailed?: boolean
}

/** A piece of work in a trace. Its context goes wherever the work calls. */
export interface Span {
  context: TraceContext
  /** False: it is only passed on. */
  isRecorded: boolean
  end(end?: SpanEnd): void
}

export type SpanRecorder = (start: SpanStart) => Span

const storage = new AsyncLocalStorage<TraceContext>()
const traceparentForm = /^00-[0-9a-f]{32}-[0-9a-f]{16}-0[01]$/
let recorder: SpanRecorder | undefined

/** The request or event under way, wherever its code runs. */
export const trace = {
  current: () => storage.getStore(),
  enter: (context: TraceContext) => storage.enterWith(context),
  run: <Result>(context: TraceContext, work: () => Result) => storage.run(context, work),
}

/** Has spans recorded from now on; without a recorder they are ids that are passed on and nothing else. */
export function recordSpans(record: SpanRecorder | undefined): void {
  recorder = record
}

export function isRecording(): boolean {
  return recorder !== undefined
}

export function startSpan(start: SpanStart): Span {
  if (recorder) return recorder(start)
  return { context: childTrace(start.parent, start.requestId), isRecorded: false, end: endNothing }
}

/** Runs work as a span of its own. */
export async function inSpan<Result>(
  start: SpanStart,
  attributes: Attributes,
  work: () => Promise<Result>,
): Promise<Result> {
  const span = startSpan(start)
  try {
    const result = await trace.run(span.context, work)
    span.end({ attributes })
    return result
  } catch (error) {
    span.end({ attributes, hasFailed: true })
    throw error
  }
}

/** A child of the given trace, or a new one when it is missing or malformed. */
export function childTrace(traceparent: string | null | undefined, requestId: string): TraceContext {
  const parent = parentOf(traceparent)
  const traceId = parent?.slice(3, 35) ?? randomHex(16)
  return { requestId, traceparent: `00-${traceId}-${randomHex(8)}-01` }
}

/** The traceparent when it is one. */
export function parentOf(traceparent: string | null | undefined): string | null {
  return traceparent && traceparentForm.test(traceparent) ? traceparent : null
}

function endNothing(): void {}
