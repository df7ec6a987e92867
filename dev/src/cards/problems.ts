import type { PaymentIntent } from './intent.ts'

export type ProblemDetails = {
  readonly type: 'invalid_request_error' | 'card_error' | 'idempotency_error' | 'api_error'
  readonly message: string
  readonly code?: string
  readonly decline_code?: string
  readonly param?: string
  readonly charge?: string
  readonly payment_intent?: PaymentIntent
}

/** An answer in Stripe's error shape. */
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

export function unexpectedState(message: string, intent: PaymentIntent): Problem {
  return new Problem(400, {
    type: 'invalid_request_error',
    message,
    code: 'payment_intent_unexpected_state',
    payment_intent: intent,
  })
}
