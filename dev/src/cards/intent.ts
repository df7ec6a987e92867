import { entries, integer, refuseUnknown, required, type Form } from './form.ts'
import { newId, nowSeconds } from './ids.ts'
import { invalidRequest, unexpectedState, type ProblemDetails } from './problems.ts'

export type IntentStatus = 'requires_payment_method' | 'requires_action' | 'processing' | 'succeeded' | 'canceled'

export type NextAction = {
  readonly type: 'use_stripe_sdk'
  readonly use_stripe_sdk: { readonly type: 'local_authenticate'; readonly authenticate_path: string }
}

/** Stripe's PaymentIntent, as far as cards need it. */
export type PaymentIntent = ReturnType<typeof newIntent>

const CREATE_PARAMS = [
  'amount',
  'currency',
  'metadata',
  'automatic_payment_methods',
  'payment_method_types',
  'description',
  'capture_method',
  'receipt_email',
]
const MIN_CENTS = 50
const MAX_CENTS = 99_999_999
const CANCELABLE: ReadonlySet<IntentStatus> = new Set(['requires_payment_method', 'requires_action'])

export function createIntent(form: Form): PaymentIntent {
  refuseUnknown(form, CREATE_PARAMS)
  const amount = integer(form, 'amount')
  const currency = required(form, 'currency').toLowerCase()
  if (currency !== 'usd')
    throw invalidRequest(`Invalid currency: ${currency}. This card network takes usd only.`, undefined, 'currency')
  if (amount < MIN_CENTS) throw invalidRequest('Amount must be at least $0.50 usd', 'amount_too_small', 'amount')
  if (amount > MAX_CENTS) throw invalidRequest('Amount must be no more than $999,999.99', 'amount_too_large', 'amount')
  return newIntent(amount, form)
}

function newIntent(amount: number, form: Form) {
  const id = newId('pi')
  const undecided: {
    status: IntentStatus
    amount_received: number
    canceled_at: number | null
    cancellation_reason: string | null
    last_payment_error: ProblemDetails | null
    latest_charge: string | null
    next_action: NextAction | null
    payment_method: string | null
  } = {
    status: 'requires_payment_method',
    amount_received: 0,
    canceled_at: null,
    cancellation_reason: null,
    last_payment_error: null,
    latest_charge: null,
    next_action: null,
    payment_method: null,
  }
  return {
    id,
    object: 'payment_intent' as const,
    amount,
    ...undecided,
    client_secret: newId(`${id}_secret`),
    created: nowSeconds(),
    currency: 'usd',
    livemode: false,
    capture_method: 'automatic',
    confirmation_method: 'automatic',
    payment_method_types: ['card'],
    description: form.get('description') ?? null,
    metadata: entries(form, 'metadata'),
    amount_capturable: 0,
    automatic_payment_methods: form.has('automatic_payment_methods[enabled]')
      ? { allow_redirects: 'never', enabled: true }
      : null,
    customer: null,
    receipt_email: form.get('receipt_email') ?? null,
    processing: null,
    setup_future_usage: null,
    shipping: null,
  }
}

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

export function askForAction(intent: PaymentIntent, paymentMethod: string): PaymentIntent {
  const authenticate_path = `/v1/payment_intents/${intent.id}/authenticate`
  const next_action: NextAction = {
    type: 'use_stripe_sdk',
    use_stripe_sdk: { type: 'local_authenticate', authenticate_path },
  }
  return { ...intent, status: 'requires_action', next_action, payment_method: paymentMethod, last_payment_error: null }
}

export function refuse(intent: PaymentIntent, error: ProblemDetails): PaymentIntent {
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
  if (!CANCELABLE.has(intent.status)) {
    throw unexpectedState(
      `You cannot cancel this PaymentIntent because it has a status of ${intent.status}. Only a PaymentIntent with one of the following statuses may be canceled: requires_payment_method, requires_capture, requires_confirmation, requires_action, processing.`,
      intent,
    )
  }
  return { ...intent, status: 'canceled', canceled_at: nowSeconds(), cancellation_reason: reason, next_action: null }
}

/** What the holder of a publishable key may see. */
export function publicView({
  metadata: _metadata,
  latest_charge: _charge,
  customer: _customer,
  ...visible
}: PaymentIntent): Partial<PaymentIntent> {
  return visible
}
