import type { FastifyRequest } from 'fastify'
import { startSpan, type Span } from './trace.ts'

const spans = new WeakMap<object, Span>()

/** Makes the request a span of its sender's trace, or of a new one. */
export function beginSpan(request: FastifyRequest): Span {
  const { method, id: requestId, headers } = request
  const given = headers['traceparent']
  const parent = typeof given === 'string' ? given : null
  const span = startSpan({ kind: 'server', name: method, parent, requestId })
  if (span.isRecorded) spans.set(request, span)
  return span
}

/** Ends the request's span, under its route's template. */
export function endSpan(request: FastifyRequest, labels: { method: string; route: string; status: number }): void {
  const { method, route, status } = labels
  spans.get(request)?.end({
    name: `${method} ${route}`,
    attributes: { 'http.request.method': method, 'http.route': route, 'http.response.status_code': status },
    hasFailed: status >= 500,
  })
}
