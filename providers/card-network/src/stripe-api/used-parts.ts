interface UsedCall {
  method: 'GET' | 'POST'
  path: string
  /** The SDK's type of the parameters. */
  type: string
  /** Object parameters whose fields are sent; other objects are left out of the extract. */
  nested?: readonly string[]
}

/** The calls made by payments, the invariant checker, their tests and the pages. */
export const usedCalls: readonly UsedCall[] = [
  { method: 'POST', path: '/v1/payment_intents', type: 'PaymentIntentCreateParams' },
  { method: 'GET', path: '/v1/payment_intents', type: 'PaymentIntentListParams', nested: ['created'] },
  { method: 'GET', path: '/v1/payment_intents/{intent}', type: 'PaymentIntentRetrieveParams' },
  { method: 'POST', path: '/v1/payment_intents/{intent}/confirm', type: 'PaymentIntentConfirmParams' },
  { method: 'POST', path: '/v1/payment_intents/{intent}/cancel', type: 'PaymentIntentCancelParams' },
  { method: 'GET', path: '/v1/charges', type: 'ChargeListParams' },
  { method: 'GET', path: '/v1/charges/{charge}', type: 'ChargeRetrieveParams' },
  { method: 'GET', path: '/v1/disputes', type: 'DisputeListParams' },
  { method: 'GET', path: '/v1/disputes/{dispute}', type: 'DisputeRetrieveParams' },
  { method: 'POST', path: '/v1/refunds', type: 'RefundCreateParams' },
  { method: 'GET', path: '/v1/refunds', type: 'RefundListParams' },
  { method: 'GET', path: '/v1/refunds/{refund}', type: 'RefundRetrieveParams' },
  { method: 'GET', path: '/v1/events', type: 'EventListParams' },
  // Stripe.js sends these parameters as `payment_method_data` when it confirms an intent.
  { method: 'POST', path: '/v1/payment_methods', type: 'PaymentMethodCreateParams', nested: ['card'] },
]

/** Returns the name of a call in the extract, where the path parameter is always `id`. */
export function nameOf({ method, path }: UsedCall): string {
  return `${method} ${path.replace(/\{\w+\}/, '{id}')}`
}

/**
 * The objects whose fields are sent, with the SDK's types of those that are read. Object fields that are not listed
 * here must be null or absent.
 */
export const usedSchemas: Readonly<Record<string, string | null>> = {
  payment_intent: 'PaymentIntent',
  payment_flows_automatic_payment_methods_payment_intent: 'PaymentIntent.AutomaticPaymentMethods',
  payment_intent_next_action: 'PaymentIntent.NextAction',
  charge: 'Charge',
  billing_details: 'Charge.BillingDetails',
  refund: 'Refund',
  dispute: 'Dispute',
  dispute_evidence: 'Dispute.Evidence',
  dispute_enhanced_evidence: 'Dispute.Evidence.EnhancedEvidence',
  dispute_evidence_details: 'Dispute.EvidenceDetails',
  dispute_enhanced_eligibility: 'Dispute.EvidenceDetails.EnhancedEligibility',
  balance_transaction: 'BalanceTransaction',
  event: 'EventBase',
  notification_event_data: 'Event.Data',
  notification_event_request: 'Event.Request',
  error: null,
  api_errors: 'PaymentIntent.LastPaymentError',
}
