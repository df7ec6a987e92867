import { timeFor } from '@marketplace/kit/deadline.ts'
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

// What is left of the sender's time for what follows the call.
const reserveMs = 2000

/** The answer to a call; one that may work in a moment rejects as unavailable, also while its tries still go on. */
export async function answered<Answer>(call: Promise<Answer>): Promise<Answer> {
  try {
    return await inTime(call)
  } catch (error) {
    throw judged(error)
  }
}

async function inTime<Answer>(call: Promise<Answer>): Promise<Answer> {
  const limitMs = timeFor(undefined)
  if (limitMs === undefined) return call
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(unavailable('The card provider')), Math.max(1, limitMs - reserveMs))
  })
  return Promise.race([call, late]).finally(() => clearTimeout(timer))
}

function judged(error: unknown): unknown {
  if (!(error instanceof StripeError) || lastingErrors.some((lasting) => error instanceof lasting)) return error
  const { kind, code, message } = unavailable('The card provider')
  const isFault = error instanceof StripeAPIError && (error.statusCode ?? 0) >= 500
  return isFault ? new ProviderFault(kind, code, message) : new DomainError(kind, code, message)
}
