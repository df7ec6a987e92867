import type { Stripe } from 'stripe'
import { entries, integer, required, type Form } from '../http/form.ts'
import { newId, nowSeconds } from '../http/ids.ts'
import type { PaymentIntent } from './intent.ts'
import { invalidRequest } from '../http/problems.ts'

const minCents = 50
const maxCents = 99_999_999

export function createIntent(form: Form): PaymentIntent {
  const amount = integer(form, 'amount')
  const currency = required(form, 'currency').toLowerCase()
  if (currency !== 'usd')
    throw invalidRequest(`Invalid currency: ${currency}. This card network takes usd only.`, undefined, 'currency')
  if (amount < minCents) throw invalidRequest('Amount must be at least $0.50 usd', 'amount_too_small', 'amount')
  if (amount > maxCents) throw invalidRequest('Amount must be no more than $999,999.99', 'amount_too_large', 'amount')
  const id = newId('pi')
  return {
    ...unused,
    ...paymentMethodsOf(form),
    id,
    object: 'payment_intent',
    amount,
    amount_capturable: 0,
    amount_received: 0,
    canceled_at: null,
    cancellation_reason: null,
    capture_method: 'automatic',
    client_secret: newId(`${id}_secret`),
    confirmation_method: 'automatic',
    created: nowSeconds(),
    currency,
    description: form.get('description') ?? null,
    last_payment_error: null,
    latest_charge: null,
    livemode: false,
    metadata: entries(form, 'metadata'),
    next_action: null,
    payment_method: null,
    receipt_email: form.get('receipt_email') ?? null,
    status: 'requires_payment_method',
    transfer_group: form.get('transfer_group') ?? null,
  }
}

// Cards are the only method here, so `payment_method_types` always contains them alone.
function paymentMethodsOf(form: Form) {
  const name = 'allowed_payment_method_types'
  const allowed = Object.values(entries(form, name))
  const isChosen = allowed.length > 0
  if (isChosen && !allowed.includes('card'))
    throw invalidRequest(
      'None of the allowed payment method types can be used for this PaymentIntent.',
      undefined,
      name,
    )
  return {
    allowed_payment_method_types: isChosen ? allowed : null,
    automatic_payment_methods: isChosen ? null : { allow_redirects: 'always', enabled: true },
    payment_method_types: ['card'],
  } satisfies Partial<Stripe.PaymentIntent>
}

const unused = {
  application: null,
  application_fee_amount: null,
  customer: null,
  customer_account: null,
  excluded_payment_method_types: null,
  managed_payments: null,
  on_behalf_of: null,
  payment_method_configuration_details: null,
  payment_method_options: null,
  payment_record: null,
  processing: null,
  review: null,
  setup_future_usage: null,
  shipping: null,
  source: null,
  statement_descriptor: null,
  statement_descriptor_suffix: null,
} satisfies Partial<Stripe.PaymentIntent>
