import { Code, ConnectError, type Interceptor } from '@connectrpc/connect'
import { histogram } from '../telemetry/metrics.ts'

const durations = histogram(
  'rpc_client_duration_seconds',
  'Duration of internal calls measured by the caller, by outcome.',
  ['callee', 'method', 'code'],
)

/** Records the duration of each internal call. The `code` label is `ok` or the Connect error code. */
export const observeCalls: Interceptor = (next) => async (request) => {
  const startedAt = performance.now()
  const observe = (code: string) =>
    durations.observe(
      { callee: request.service.typeName, method: request.method.name, code },
      (performance.now() - startedAt) / 1000,
    )
  try {
    const response = await next(request)
    observe('ok')
    return response
  } catch (error) {
    observe(Code[ConnectError.from(error).code] ?? 'Unknown')
    throw error
  }
}
