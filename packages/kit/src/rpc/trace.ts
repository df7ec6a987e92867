import type { Interceptor } from '@connectrpc/connect'
import { inSpan, trace } from '../telemetry/trace.ts'

/** Sends the request id and the trace context with each call, and records the call as a span. */
export const traceCalls: Interceptor = (next) => (request) => {
  const context = trace.current()
  if (!context) return next(request)
  const { requestId, traceparent: parent } = context
  const name = `${request.service.typeName}/${request.method.name}`
  return inSpan({ kind: 'client', name, parent, requestId }, { 'rpc.system': 'connect' }, () => {
    request.header.set('traceparent', trace.current()?.traceparent ?? parent)
    request.header.set('x-request-id', requestId)
    return next(request)
  })
}
