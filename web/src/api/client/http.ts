import { randomHex } from './random-hex.ts'
import { recordServerTime } from '../clock/server-clock.ts'

/** An error response from the API. */
export class ApiError extends Error {
  readonly status: number
  /** The server's message for the user. */
  readonly serverMessage: string | null
  /** The machine-readable error code. */
  readonly code: string | null
  /** The fields of the response body by name, for example `highest_bid`. */
  readonly fields: ReadonlyMap<string, unknown>

  constructor(status: number, fields: ReadonlyMap<string, unknown>) {
    super(`API responded with HTTP status ${status}`)
    this.status = status
    this.fields = fields
    this.serverMessage = stringOrNull(fields.get('error'))
    this.code = stringOrNull(fields.get('code'))
  }
}

function stringOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

export function isSignedOut(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401
}

/**
 * Returns whether an error is a 409 response. Such a response means that the resource has changed since the page loaded
 * it, for example because the item was sold or the offer was accepted.
 */
export function isConflict(error: unknown): boolean {
  return error instanceof ApiError && error.status === 409
}

/** Returns the server's message for the user, or the fallback if the response has no message or the network failed. */
export function errorText(error: unknown, fallback: string): string {
  return (error instanceof ApiError && error.serverMessage) || fallback
}

const sessionLostListeners = new Set<() => void>()

export function onSessionLost(listener: () => void): () => void {
  sessionLostListeners.add(listener)
  return () => sessionLostListeners.delete(listener)
}

async function toApiError(response: Response): Promise<ApiError> {
  const body: unknown = await response.json().catch(() => null)
  return new ApiError(response.status, new Map(Object.entries(typeof body === 'object' && body !== null ? body : {})))
}

/** Without this timeout, a form would wait forever for a lost response. */
const requestTimeoutMs = 20_000

async function fetchWithTimeout(request: Request): Promise<Response> {
  const timeout = new AbortController()
  const timer = setTimeout(
    () => timeout.abort(new DOMException('The request timed out.', 'TimeoutError')),
    requestTimeoutMs,
  )
  try {
    return await fetch(request, { signal: AbortSignal.any([request.signal, timeout.signal]) })
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Sends a request to the marketplace API with a `traceparent` header (https://www.w3.org/TR/trace-context/). For an
 * error response, throws ApiError; if its status is 401, calls the session-lost listeners first.
 */
export async function callApi(request: Request): Promise<Response> {
  request.headers.set('traceparent', `00-${randomHex(16)}-${randomHex(8)}-01`)
  const sentAt = Date.now()
  const response = await fetchWithTimeout(request)
  recordServerTime(response.headers.get('date'), sentAt)
  if (response.ok) return response
  if (response.status === 401) for (const listener of sessionLostListeners) listener()
  throw await toApiError(response)
}
