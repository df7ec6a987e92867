import type { Stripe } from 'stripe'
import { newId, nowSeconds } from '../http/ids.ts'
import { unexpectedState, type ProblemDetails } from '../http/problems.ts'

/** Stripe's PaymentIntent without expanded fields, and with its client secret. */
export interface PaymentIntent extends Stripe.PaymentIntent {
  client_secret: string
  latest_charge: string | null
  payment_method: string | null
}

/** Number of confirmations after which the next one cancels an intent. Stripe’s limit varies; 10 was observed. */
export const defaultMaxConfirmations = 10

const cancelableStatuses: ReadonlySet<string> = new Set<Stripe.PaymentIntent.Status>([
  'requires_payment_method',
  'requires_action',
])

export function assertConfirmable(intent: PaymentIntent): void {
  if (intent.status === 'succeeded') {
    throw unexpectedState(
      'You cannot confirm this PaymentIntent because it has already succeeded after being previously confirmed.',
      intent,
    )
  }
  if (intent.status === 'canceled' || intent.status === 'processing') {
    throw unexpectedState(
      `You cannot confirm this PaymentIntent because it has a status of ${intent.status}. Only a PaymentIntent with one of the following statuses may be confirmed: requires_payment_method, requires_confirmation, requires_action.`,
      intent,
    )
  }
}

export function succeed(intent: PaymentIntent, paymentMethod: string | null): PaymentIntent {
  return {
    ...intent,
    status: 'succeeded',
    amount_received: intent.amount,
    latest_charge: newId('ch'),
    last_payment_error: null,
    next_action: null,
    payment_method: paymentMethod,
  }
}

export function startProcessing(intent: PaymentIntent, paymentMethod: string): PaymentIntent {
  return { ...intent, status: 'processing', next_action: null, payment_method: paymentMethod, last_payment_error: null }
}

export function requireAction(intent: PaymentIntent, paymentMethod: string): PaymentIntent {
  const authenticate_path = `/v1/payment_intents/${intent.id}/authenticate`
  const next_action = {
    type: 'use_stripe_sdk',
    use_stripe_sdk: { type: 'local_authenticate', authenticate_path },
  } satisfies Stripe.PaymentIntent.NextAction
  return { ...intent, status: 'requires_action', next_action, payment_method: paymentMethod, last_payment_error: null }
}

export function failPayment(intent: PaymentIntent, error: ProblemDetails): PaymentIntent {
  return {
    ...intent,
    status: 'requires_payment_method',
    next_action: null,
    payment_method: null,
    latest_charge: error.charge ?? intent.latest_charge,
    last_payment_error: error,
  }
}

export function cancel(intent: PaymentIntent, reason: string | null): PaymentIntent {
  if (!cancelableStatuses.has(intent.status)) {
    throw unexpectedState(
      `You cannot cancel this PaymentIntent because it has a status of ${intent.status}. Only a PaymentIntent with one of the following statuses may be canceled: requires_payment_method, requires_capture, requires_confirmation, requires_action, processing.`,
      intent,
    )
  }
  return { ...intent, status: 'canceled', canceled_at: nowSeconds(), cancellation_reason: reason, next_action: null }
}

/** Returns the fields that are visible with a publishable key. */
export function publicView({
  metadata: _metadata,
  latest_charge: _charge,
  customer: _customer,
  ...visible
}: PaymentIntent): Partial<PaymentIntent> {
  return visible
}
