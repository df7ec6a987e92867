import type { FastifyRequest } from 'fastify'
import { startSpan, type Span } from '../telemetry/trace.ts'

const spans = new WeakMap<object, Span>()

/** Starts a server span in the trace of the request's `traceparent` header, or in a new trace. */
export function beginSpan(request: FastifyRequest): Span {
  const { method, id: requestId, headers } = request
  const header = headers['traceparent']
  const parent = typeof header === 'string' ? header : null
  const span = startSpan({ kind: 'server', name: method, parent, requestId })
  if (span.isRecorded) spans.set(request, span)
  return span
}

/** Ends the request's span and names it after the route template. A status of 500 or above marks it as failed. */
export function endSpan(request: FastifyRequest, labels: { method: string; route: string; status: number }): void {
  const { method, route, status } = labels
  spans.get(request)?.end({
    name: `${method} ${route}`,
    attributes: { 'http.request.method': method, 'http.route': route, 'http.response.status_code': status },
    hasFailed: status >= 500,
  })
}
