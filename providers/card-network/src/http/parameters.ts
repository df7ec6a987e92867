import type { Stripe } from 'stripe'

/** The parameters of a route, a subset of Stripe's. An SDK that removes one of them fails to compile. */
export interface AcceptedParameters {
  names: readonly string[]
  /** The accepted fields of object parameters. A parameter without an entry is a value, a list or free-form. */
  fields?: Readonly<Record<string, readonly string[]>>
}

export const createIntentParameters: AcceptedParameters = {
  names: [
    'amount',
    'currency',
    'metadata',
    'allowed_payment_method_types',
    'transfer_group',
    'description',
    'receipt_email',
  ] satisfies (keyof Stripe.PaymentIntentCreateParams)[],
}

export const retrieveIntentParameters: AcceptedParameters = {
  names: ['client_secret'] satisfies (keyof Stripe.PaymentIntentRetrieveParams)[],
}

export const listIntentsParameters: AcceptedParameters = {
  names: ['created', 'limit', 'starting_after'] satisfies (keyof Stripe.PaymentIntentListParams)[],
  fields: { created: ['gte'] satisfies (keyof Stripe.RangeQueryParam)[] },
}

const confirmNames = [
  'payment_method',
  'payment_method_data',
  'return_url',
  'use_stripe_sdk',
] satisfies (keyof Stripe.PaymentIntentConfirmParams)[]

export const confirmIntentParameters: AcceptedParameters = {
  // Browsers send the client secret; the SDK is for servers and lacks that parameter.
  names: [...confirmNames, 'client_secret'],
  fields: {
    // Stripe.js sends the card itself, which the SDK accepts only when creating a payment method.
    payment_method_data: ['type', 'card'] satisfies (keyof Stripe.PaymentMethodCreateParams)[],
    'payment_method_data[card]': [
      'number',
      'exp_month',
      'exp_year',
      'cvc',
    ] satisfies (keyof Stripe.PaymentMethodCreateParams.Card)[],
  },
}

/** The parameters of a call that Stripe does not have: the page of the cardholder's bank. */
export const authenticateParameters: AcceptedParameters = { names: ['client_secret', 'outcome'] }

export const cancelIntentParameters: AcceptedParameters = {
  names: ['cancellation_reason'] satisfies (keyof Stripe.PaymentIntentCancelParams)[],
}

export const listChargesParameters: AcceptedParameters = {
  names: ['limit', 'starting_after'] satisfies (keyof Stripe.ChargeListParams)[],
}

export const listEventsParameters: AcceptedParameters = {
  names: ['type', 'limit', 'starting_after'] satisfies (keyof Stripe.EventListParams)[],
}

export const createRefundParameters: AcceptedParameters = {
  names: ['payment_intent', 'charge', 'amount', 'reason', 'metadata'] satisfies (keyof Stripe.RefundCreateParams)[],
}

export const listRefundsParameters: AcceptedParameters = {
  names: ['payment_intent', 'limit', 'starting_after'] satisfies (keyof Stripe.RefundListParams)[],
}

export const retrieveRefundParameters: AcceptedParameters = { names: [] }

export const retrieveChargeParameters: AcceptedParameters = { names: [] }

export const listDisputesParameters: AcceptedParameters = {
  names: ['payment_intent', 'limit', 'starting_after'] satisfies (keyof Stripe.DisputeListParams)[],
}

export const retrieveDisputeParameters: AcceptedParameters = { names: [] }
