import type { Stripe } from 'stripe'

export interface ProblemDetails {
  readonly type: 'invalid_request_error' | 'card_error' | 'idempotency_error' | 'api_error'
  readonly message: string
  readonly code?: string
  readonly decline_code?: string
  readonly param?: string
  readonly charge?: string
  readonly payment_intent?: Stripe.PaymentIntent
}

/** An error response in Stripe's format. */
export class Problem extends Error {
  readonly status: number
  readonly details: ProblemDetails
  constructor(status: number, details: ProblemDetails) {
    super(details.message)
    this.status = status
    this.details = details
  }
}

export function invalidRequest(message: string, code?: string, param?: string): Problem {
  return new Problem(400, { type: 'invalid_request_error', message, code, param })
}

export function cardProblem(message: string, code: string, param?: string): Problem {
  return new Problem(402, { type: 'card_error', message, code, param })
}

export function noSuch(kind: string, id: string, param: string): Problem {
  return new Problem(404, {
    type: 'invalid_request_error',
    message: `No such ${kind}: '${id}'`,
    code: 'resource_missing',
    param,
  })
}

export function missingParam(name: string): Problem {
  return invalidRequest(`Missing required param: ${name}.`, 'parameter_missing', name)
}

export function unexpectedState(message: string, intent: Stripe.PaymentIntent): Problem {
  return new Problem(400, {
    type: 'invalid_request_error',
    message,
    code: 'payment_intent_unexpected_state',
    payment_intent: intent,
  })
}
