import { DomainError, unavailable } from '@marketplace/kit/problem.ts'
import { Stripe } from 'stripe'

const { StripeError, StripeAPIError } = Stripe.errors

// A wrong key or a request that can never work is a setting or a bug; everything else may work in a moment.
const lastingErrors = [
  Stripe.errors.StripeInvalidRequestError,
  Stripe.errors.StripeIdempotencyError,
  Stripe.errors.StripeAuthenticationError,
  Stripe.errors.StripePermissionError,
]

/** The provider failed, and answers that to the key for a day; it may have done what was asked all the same. */
export class ProviderFault extends DomainError {}

/** The answer to a call; one that may work in a moment rejects as unavailable. */
export async function answered<Answer>(call: Promise<Answer>): Promise<Answer> {
  try {
    return await call
  } catch (error) {
    throw judged(error)
  }
}

function judged(error: unknown): unknown {
  if (!(error instanceof StripeError) || lastingErrors.some((lasting) => error instanceof lasting)) return error
  const { kind, code, message } = unavailable('The card provider')
  const isFault = error instanceof StripeAPIError && (error.statusCode ?? 0) >= 500
  return isFault ? new ProviderFault(kind, code, message) : new DomainError(kind, code, message)
}
