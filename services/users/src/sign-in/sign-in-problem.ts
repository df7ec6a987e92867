import { DomainError, unavailable } from '@marketplace/kit/errors/problem.ts'
import { ClientError, ResponseBodyError } from 'openid-client'

// Error codes for failures of the provider or the network, which are not the user's fault.
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
 * Maps a provider error to the error that the user sees: 401 if the sign-in is rejected, 503 if the provider is
 * unavailable. Other errors, for example those caused by wrong settings, are returned unchanged and result in status
 * 500.
 */
export function toSignInProblem(error: unknown): unknown {
  if (error instanceof ResponseBodyError) return toProblemOfResponse(error)
  if (isUnreachable(error)) return unavailable('Sign-in')
  return error instanceof ClientError ? signInRejected() : error
}

/**
 * Maps the error of an unreachable provider to `unavailable` (503). Other discovery errors are returned unchanged,
 * because they are caused by wrong settings, such as a wrong issuer.
 */
export function toDiscoveryProblem(error: unknown): unknown {
  return isUnreachable(error) ? unavailable('Sign-in') : error
}

// Converts an error response of the token endpoint (RFC 6749, section 5.2) to the error to throw. Errors such as
// `invalid_client`, which mean that our settings are wrong, are returned unchanged and logged.
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
