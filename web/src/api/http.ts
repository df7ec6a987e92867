import { randomHex } from './random-hex.ts'
import { noteServerTime } from './server-clock.ts'

/** A refusal by the server; `serverMessage` is its sentence for a person. */
export class ApiError extends Error {
  readonly status: number
  readonly serverMessage: string | null

  constructor(status: number, serverMessage: string | null) {
    super(`API responded with HTTP status ${status}`)
    this.status = status
    this.serverMessage = serverMessage
  }
}

export function isSignedOut(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401
}

/** The thing asked for has changed since: no longer for sale, answered already. */
export function isConflict(error: unknown): boolean {
  return error instanceof ApiError && error.status === 409
}

/** The server's sentence; without one, and when the network failed, the fallback. */
export function errorText(error: unknown, fallback: string): string {
  return (error instanceof ApiError && error.serverMessage) || fallback
}

const sessionLostListeners = new Set<() => void>()

export function onSessionLost(listener: () => void): () => void {
  sessionLostListeners.add(listener)
  return () => sessionLostListeners.delete(listener)
}

async function refusal(response: Response): Promise<ApiError> {
  const body: unknown = await response.json().catch(() => null)
  const message = typeof body === 'object' && body !== null && 'error' in body ? body.error : null
  return new ApiError(response.status, typeof message === 'string' ? message : null)
}

/** Longer than any answer of ours takes; a form would wait for ever for one that got lost. */
const answerWithinMs = 20_000

async function fetchInTime(request: Request): Promise<Response> {
  const late = new AbortController()
  const timer = setTimeout(
    () => late.abort(new DOMException('No answer came in time.', 'TimeoutError')),
    answerWithinMs,
  )
  try {
    return await fetch(request, { signal: AbortSignal.any([request.signal, late.signal]) })
  } finally {
    clearTimeout(timer)
  }
}

/**
 * fetch of our own API: begins a trace (https://www.w3.org/TR/trace-context/), notes the server's time, throws ApiError for
 * a refusal, tells the session about a 401.
 */
export async function callApi(request: Request): Promise<Response> {
  request.headers.set('traceparent', `00-${randomHex(16)}-${randomHex(8)}-01`)
  const sentAt = Date.now()
  const response = await fetchInTime(request)
  noteServerTime(response.headers.get('date'), sentAt)
  if (response.ok) return response
  if (response.status === 401) for (const listener of sessionLostListeners) listener()
  throw await refusal(response)
}
