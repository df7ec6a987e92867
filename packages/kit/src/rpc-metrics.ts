import { Code, ConnectError, type Interceptor } from '@connectrpc/connect'
import { histogram } from './metrics.ts'

const durations = histogram(
  'rpc_client_duration_seconds',
  'Time of an internal call as its caller saw it, by outcome.',
  ['callee', 'method', 'code'],
)

/** Times each internal call; the code is `ok` or the error's. */
export const observeCalls: Interceptor = (next) => async (request) => {
  const startedAt = performance.now()
  const observe = (code: string) =>
    durations.observe(
      { callee: request.service.typeName, method: request.method.name, code },
      (performance.now() - startedAt) / 1000,
    )
  try {
    const answer = await next(request)
    observe('ok')
    return answer
  } catch (error) {
    observe(Code[ConnectError.from(error).code] ?? 'Unknown')
    throw error
  }
}
