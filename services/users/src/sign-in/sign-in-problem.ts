import { DomainError, unavailable } from '@marketplace/kit/errors/problem.ts'
import { ClientError, ResponseBodyError } from 'openid-client'

// Error codes of failures of the provider or the network; the user did nothing wrong.
const unreachableCodes = new Set([
  'OAUTH_TIMEOUT',
  'OAUTH_ABORT',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
  'OAUTH_PARSE_ERROR',
])

export function signInRejected(): DomainError {
  return new DomainError('unauthenticated', 'sign_in_refused', 'This sign-in is no longer valid. Please try again.')
}

/**
 * Maps a provider error to the error that the user sees: 401 or 503. Other errors, for example because of wrong
 * settings, are returned unchanged and lead to 500.
 */
export function toSignInProblem(error: unknown): unknown {
  if (error instanceof ResponseBodyError) return toProblemOfResponse(error)
  if (isUnreachable(error)) return unavailable('Sign-in')
  return error instanceof ClientError ? signInRejected() : error
}

/**
 * Maps an unreachable provider to 503. Other discovery errors are returned unchanged, because they are caused by wrong
 * settings, such as a different issuer.
 */
export function toDiscoveryProblem(error: unknown): unknown {
  return isUnreachable(error) ? unavailable('Sign-in') : error
}

// Converts an error response of the token endpoint (RFC 6749, section 5.2) to the error to throw. Codes such as
// `invalid_client` mean that our settings are wrong; their errors are thrown unchanged and logged.
function toProblemOfResponse(error: ResponseBodyError): unknown {
  if (error.error === 'invalid_grant' || error.error === 'invalid_request') return signInRejected()
  return error.status >= 500 || error.error === 'temporarily_unavailable' ? unavailable('Sign-in') : error
}

// A failed fetch throws a TypeError with the network error as its cause.
function isUnreachable(error: unknown): boolean {
  if (error instanceof ClientError) return unreachableCodes.has(error.code ?? '') || isFailedFetch(error.cause)
  return isFailedFetch(error)
}

function isFailedFetch(error: unknown): boolean {
  return error instanceof TypeError && error.cause instanceof Error
}
