import { remainingTime } from '@marketplace/kit/http/deadline.ts'
import { DomainError, unavailable } from '@marketplace/kit/errors/problem.ts'
import { Stripe } from 'stripe'

const { StripeError, StripeAPIError } = Stripe.errors

// Stripe errors that are caused by the configuration or a bug; all others are treated as transient.
const permanentErrors = [
  Stripe.errors.StripeInvalidRequestError,
  Stripe.errors.StripeIdempotencyError,
  Stripe.errors.StripeAuthenticationError,
  Stripe.errors.StripePermissionError,
]

/**
 * Thrown if the provider responds with a 5xx status. The provider might have executed the call nevertheless. For one
 * day, further calls with the same idempotency key get the same error.
 */
export class ProviderError extends DomainError {}

// Time reserved after a provider call for storing the state and sending the response before the request's deadline.
const reserveMs = 2000

/**
 * Awaits a provider call and returns its result. Throws `unavailable` (503) on a transient error. Also throws it
 * shortly before the request's deadline, even if the SDK is still retrying.
 */
export async function callProvider<Result>(call: Promise<Result>): Promise<Result> {
  try {
    return await withDeadline(call)
  } catch (error) {
    throw toDomainError(error)
  }
}

async function withDeadline<Result>(call: Promise<Result>): Promise<Result> {
  const timeLimitMs = remainingTime(undefined)
  if (timeLimitMs === undefined) return call
  let timer: NodeJS.Timeout | undefined
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(unavailable('The card provider')), Math.max(1, timeLimitMs - reserveMs))
  })
  return Promise.race([call, deadline]).finally(() => clearTimeout(timer))
}

function toDomainError(error: unknown): unknown {
  if (!(error instanceof StripeError) || permanentErrors.some((permanent) => error instanceof permanent)) return error
  const { kind, code, message } = unavailable('The card provider')
  const isServerError = error instanceof StripeAPIError && (error.statusCode ?? 0) >= 500
  return isServerError ? new ProviderError(kind, code, message) : new DomainError(kind, code, message)
}
