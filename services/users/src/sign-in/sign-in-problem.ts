import { DomainError, unavailable } from '@marketplace/kit/problem.ts'
import { ClientError, ResponseBodyError } from 'openid-client'

// The provider or the way to it is at fault, not the one who signs in.
const unreachableCodes = new Set([
  'OAUTH_TIMEOUT',
  'OAUTH_ABORT',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
  'OAUTH_PARSE_ERROR',
])

export function signInRefused(): DomainError {
  return new DomainError('unauthenticated', 'sign_in_refused', 'This sign-in is no longer valid. Please try again.')
}

/** What an error of the provider means to who signs in; what is nobody's fault but ours stays as it is. */
export function toSignInProblem(error: unknown): unknown {
  if (error instanceof ResponseBodyError) return toProblemOfAnswer(error)
  if (isUnreachable(error)) return unavailable('Sign-in')
  return error instanceof ClientError ? signInRefused() : error
}

/** A provider that is away may come back; one that is another than the settings say is a bug. */
export function toDiscoveryProblem(error: unknown): unknown {
  return isUnreachable(error) ? unavailable('Sign-in') : error
}

// RFC 6749, section 5.2. `invalid_client` and the like are wrong settings of ours.
function toProblemOfAnswer(error: ResponseBodyError): unknown {
  if (error.error === 'invalid_grant' || error.error === 'invalid_request') return signInRefused()
  return error.status >= 500 || error.error === 'temporarily_unavailable' ? unavailable('Sign-in') : error
}

// A failed fetch is a TypeError with the reason as its cause.
function isUnreachable(error: unknown): boolean {
  if (error instanceof ClientError) return unreachableCodes.has(error.code ?? '') || isFailedFetch(error.cause)
  return isFailedFetch(error)
}

function isFailedFetch(error: unknown): boolean {
  return error instanceof TypeError && error.cause instanceof Error
}
