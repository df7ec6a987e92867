import { AsyncLocalStorage } from 'node:async_hooks'
import { randomHex } from '../values/random-bytes.ts'

export interface TraceContext {
  requestId: string
  /** W3C trace context, see https://www.w3.org/TR/trace-context/ */
  traceparent: string
}

export type Attributes = Readonly<Record<string, string | number | boolean>>

export interface SpanStart {
  name: string
  kind: 'server' | 'client' | 'consumer'
  /** Traceparent of the parent span. A missing or malformed value starts a new trace. */
  parent: string | null | undefined
  requestId: string
  /** Start of the span as Unix time in ms; by default the current time. */
  startedAt?: number
}

export interface SpanEnd {
  /** Replaces the name given in `SpanStart`, for example with the route template. */
  name?: string
  attributes?: Attributes
  hasFailed?: boolean
}

/** A span of a trace. Outgoing calls send its context, so that the spans of other services become its children. */
export interface Span {
  context: TraceContext
  /** False if the span is not exported. Its ids are still sent to other services. */
  isRecorded: boolean
  end(end?: SpanEnd): void
}

export type SpanRecorder = (start: SpanStart) => Span

const storage = new AsyncLocalStorage<TraceContext>()
const traceparentForm = /^00-[0-9a-f]{32}-[0-9a-f]{16}-0[01]$/
let recorder: SpanRecorder | undefined

/** Trace context of the current request or event, kept in async local storage. */
export const trace = {
  current: () => storage.getStore(),
  enter: (context: TraceContext) => storage.enterWith(context),
  run: <Result>(context: TraceContext, work: () => Result) => storage.run(context, work),
}

/**
 * Sets the function that records new spans. With `undefined`, spans are not recorded, and only trace ids are sent to
 * other services.
 */
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

/** Runs `work` in a new span. An error marks the span as failed and is rethrown. */
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

/**
 * Returns the context for a child span in the trace of `traceparent`. If `traceparent` is missing or malformed, the
 * context starts a new trace.
 */
export function childTrace(traceparent: string | null | undefined, requestId: string): TraceContext {
  const parent = parentOf(traceparent)
  const traceId = parent?.slice(3, 35) ?? randomHex(16)
  return { requestId, traceparent: `00-${traceId}-${randomHex(8)}-01` }
}

/** Returns the traceparent if it is valid, otherwise null. */
export function parentOf(traceparent: string | null | undefined): string | null {
  return traceparent && traceparentForm.test(traceparent) ? traceparent : null
}

function endNothing(): void {}
