import { Code, ConnectError } from '@connectrpc/connect'

export type ProblemKind =
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  | 'missing'
  | 'conflict'
  | 'too_large'
  | 'unsupported'
  | 'unprocessable'
  | 'limited'
  | 'unavailable'

export interface ProblemDetail {
  path: string
  message: string
}

/** An error that a route sends to its client. `message` is a sentence for people, `code` is for programs. */
export class DomainError extends Error {
  readonly kind: ProblemKind
  readonly code: string
  readonly details: readonly ProblemDetail[] | undefined
  /** Additional fields of the response body. */
  readonly extra: Readonly<Record<string, unknown>>
  /** Value of the Retry-After header. */
  readonly retryAfterSeconds: number | undefined

  constructor(
    kind: ProblemKind,
    code: string,
    message: string,
    more: { details?: readonly ProblemDetail[]; extra?: Record<string, unknown>; retryAfterSeconds?: number } = {},
  ) {
    super(message)
    this.kind = kind
    this.code = code
    this.details = more.details
    this.extra = more.extra ?? {}
    this.retryAfterSeconds = more.retryAfterSeconds
  }
}

export function invalid(path: string, message: string): DomainError {
  return new DomainError('invalid', 'invalid', message, { details: [{ path, message }] })
}

export function unauthenticated(): DomainError {
  return new DomainError('unauthenticated', 'unauthenticated', 'Please sign in.')
}

export function forbidden(code: string, message: string, extra: Record<string, unknown> = {}): DomainError {
  return new DomainError('forbidden', code, message, { extra })
}

export function missing(what: string): DomainError {
  return new DomainError('missing', 'not_found', `This ${what} does not exist.`)
}

export function conflict(code: string, message: string, extra: Record<string, unknown> = {}): DomainError {
  return new DomainError('conflict', code, message, { extra })
}

/** Error 429 with a Retry-After header. */
export function limited(code: string, message: string, retryAfterSeconds: number): DomainError {
  return new DomainError('limited', code, message, { retryAfterSeconds })
}

export function unavailable(what: string): DomainError {
  return new DomainError('unavailable', 'unavailable', `${what} is not available right now. Please try again shortly.`)
}

const statusOf: Record<ProblemKind, number> = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  missing: 404,
  conflict: 409,
  too_large: 413,
  unsupported: 415,
  unprocessable: 422,
  limited: 429,
  unavailable: 503,
}

export interface Problem {
  status: number
  body: { error: string; code: string; details?: readonly ProblemDetail[] }
}

/** Maps an error to its HTTP status and response body. */
export function problemOf(error: DomainError): Problem {
  const body = { error: error.message, code: error.code, ...error.extra }
  return { status: statusOf[error.kind], body: error.details ? { ...body, details: error.details } : body }
}

/** Thrown to repeat the error response that is stored under an idempotency key. */
export class RepeatedProblem extends Error {
  readonly problem: Problem

  constructor(problem: Problem) {
    super(problem.body.error)
    this.problem = problem
  }
}

const connectCodeOf: Record<ProblemKind, Code> = {
  invalid: Code.InvalidArgument,
  unauthenticated: Code.Unauthenticated,
  forbidden: Code.PermissionDenied,
  missing: Code.NotFound,
  conflict: Code.FailedPrecondition,
  too_large: Code.ResourceExhausted,
  unsupported: Code.Unimplemented,
  unprocessable: Code.InvalidArgument,
  limited: Code.ResourceExhausted,
  unavailable: Code.Unavailable,
}

/** Maps an error to a Connect error for internal calls. */
export function connectErrorOf(error: DomainError): ConnectError {
  return new ConnectError(error.message, connectCodeOf[error.kind])
}
