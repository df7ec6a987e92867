import { AsyncLocalStorage } from 'node:async_hooks'
import { randomBytes } from 'node:crypto'

export interface TraceContext {
  requestId: string
  /** W3C trace context, see https://www.w3.org/TR/trace-context/ */
  traceparent: string
}

const storage = new AsyncLocalStorage<TraceContext>()
const traceparentForm = /^00-[0-9a-f]{32}-[0-9a-f]{16}-0[01]$/

/** The request or event under way, wherever its code runs. */
export const trace = {
  current: () => storage.getStore(),
  enter: (context: TraceContext) => storage.enterWith(context),
  run: <Result>(context: TraceContext, work: () => Result) => storage.run(context, work),
}

/** A child of the given trace, or a new one when it is missing or malformed. */
export function childTrace(traceparent: string | null | undefined, requestId: string): TraceContext {
  const parent = traceparent && traceparentForm.test(traceparent) ? traceparent : null
  const traceId = parent?.slice(3, 35) ?? randomBytes(16).toString('hex')
  return { requestId, traceparent: `00-${traceId}-${randomBytes(8).toString('hex')}-01` }
}
